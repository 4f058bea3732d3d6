import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { type Outcome, run } from '../harness/run.ts'

let server: TestServer

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro', 'team'] }
const FLAGS = [
  { key: 'off', is_enabled: false },
  { key: 'needs-off', is_enabled: true, prerequisites: [{ flag_key: 'off' }] },
  { key: 'ruled', is_enabled: true, rollout_percentage: 0, rules: [RULE, { segment_key: 'beta' }] },
  { key: 'half', is_enabled: true, rollout_percentage: 50 },
]

beforeAll(async () => {
  server = await startTestServer()
  const body = { flags: FLAGS, segments: [{ key: 'beta', name: 'Beta', included_keys: ['ann'] }] }
  const path = `/api/environments/${server.environments.production}/apply`
  expect((await server.call({ path, body })).status).toBe(200)
})
afterAll(() => server.close())

const evaluate = (...args: string[]): Promise<Outcome> =>
  run(['--env', 'production', 'eval', ...args], {
    env: { BURGEE_URL: server.url, BURGEE_TOKEN: server.sdkKey },
  })

describe('burgee eval', () => {
  test('prints the steps to the result as a tree', async () => {
    const { code, out } = await evaluate('ruled', '--user', 'ann', '--attr', 'plan=free')
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'ruled = true, enabled: TARGETING_MATCH',
        '├─ switch: on',
        '└─ rules ← decided',
        '   ├─ rule 1: does not match',
        '   │  └─ ✗ plan is one of pro, team: the user has "free"',
        '   └─ rule 2 (segment beta): matches',
        '      └─ ✓ $user_key is ann: the user has "ann"',
        '',
      ].join('\n'),
    )
    const failed = await evaluate('needs-off')
    expect(failed.out).toContain('└─ prerequisites ← decided\n   └─ off has to be on: failed')
    expect(failed.out).toContain('switch: off ← decided')
    expect((await evaluate('half', '--user', 'ann')).out).toMatch(/rollout: (in|out)side 50%: bucket \d+/)
  })

  test('reads lists and JSON as attributes, and prints JSON for programs', async () => {
    const { out } = await evaluate('ruled', '--attr', 'plan=x', '--attr', 'plan=pro', '-o', 'json')
    expect(JSON.parse(out).flags[0]).toMatchObject({ value: true, rule_index: 0 })
    const other = await evaluate('ruled', '--attributes', '{"plan": "pro"}', '--attr', 'plan:=["x"]')
    expect(other.out).toContain('the user has ["x"]')
  })

  test('lists all flags without keys, and fails for one that there is not', async () => {
    const all = await evaluate('--user', 'ann')
    expect(all.out.trim().split('\n')).toHaveLength(FLAGS.length + 1)
    const unknown = await evaluate('nowhere', 'off')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.err).toContain('There is no flag nowhere.')
  })

  test('says what is wrong with its options', async () => {
    for (const [option, value, text] of [
      ['--attr', 'plan', 'has no value'],
      ['--attr', 'age:=x', 'is not JSON'],
      ['--attributes', '[]', 'is a JSON object'],
    ] as const) {
      const { code, err } = await evaluate('off', option, value)
      expect([code, err]).toEqual([2, expect.stringContaining(text)])
    }
    expect((await evaluate('off', '--at', '2001-01-01T00:00:00Z')).err).toContain('too long ago')
  })
})
