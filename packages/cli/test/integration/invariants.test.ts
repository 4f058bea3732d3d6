import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

let server: CommandServer
let burgee: CommandServer['burgee']
beforeAll(async () => {
  server = await startCommandServer()
  burgee = server.burgee
})
afterAll(() => server.close())

/** Nothing listens there: what needs a server fails. */
const OFFLINE = { BURGEE_URL: 'http://127.0.0.1:1', BURGEE_TOKEN: '' }

const DEMANDS = `invariants:
  - { key: sso-needs-enterprise, flag: sso, when: [{ attribute: plan, operator: not_equals, values: [enterprise] }], never: [true] }
  - { key: sso-exists, flag: sso, shape: { exists: true, flag_type: boolean }, enforcement: warn, environments: [staging] }
`
const fileOf = (rules: string, demands = DEMANDS): string => {
  const folder = temporaryFolder()
  const text = `apiVersion: burgee/v1
name: team
environment: staging
segments: [{ key: enterprise, name: E, rules: [{ attribute: plan, operator: equals, values: [enterprise] }] }]
flags:
  - { key: sso, is_enabled: true, rollout_percentage: 0, rules: ${rules} }
${demands}`
  writeFileSync(join(folder, 'flags.yaml'), text)
  return folder
}
const GOOD = '[{ segment_key: enterprise }]'
const BAD = '[{ segment_key: enterprise }, { attribute: beta, operator: equals, values: ["a<b&c"] }]'

describe('burgee test', () => {
  test('proves the invariants of files without a server', async () => {
    const { code, err, out } = await burgee(['test', '-f', 'flags.yaml'], fileOf(GOOD), OFFLINE)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/staging\n {2}holds +sso-needs-enterprise\n {2}holds +sso-exists\n$/)
  })

  test('shows a user for whom one does not hold, also as JSON and JUnit, and exits with 1', async () => {
    const folder = fileOf(BAD)
    const text = await burgee(['test', '-f', 'flags.yaml'], folder, OFFLINE)
    expect(text).toMatchObject({ code: 1, err: '' })
    expect(text.out).toMatch(/violated +sso-needs-enterprise\n +the user "user-\d+" .* gets true of sso/)
    const json = await burgee(['test', '-f', 'flags.yaml', '-o', 'json'], folder, OFFLINE)
    expect(JSON.parse(json.out)).toMatchObject([
      {
        checks: [
          {
            key: 'sso-needs-enterprise',
            verdict: 'violated',
            counter_example: { value: true, attributes: { beta: 'a<b&c' } },
          },
          { key: 'sso-exists', verdict: 'holds' },
        ],
      },
    ])
    const junit = await burgee(['test', '-f', 'flags.yaml', '-o', 'junit'], folder, OFFLINE)
    expect(junit.code).toBe(1)
    expect(junit.out).toContain('<testsuites name="burgee" tests="2" failures="1">')
    expect(junit.out).toContain('a&lt;b&amp;c')
    expect((await burgee(['projects', '-o', 'junit'])).code).toBe(2)
  })

  test.each([
    [
      'a wrong field of a flag',
      `[{ attribute: plan, operator: nearly, values: [x] }]`,
      DEMANDS,
      'flags.yaml:6: /flags/0',
    ],
    [
      'two demands',
      GOOD,
      'invariants: [{ key: a, flag: sso, never: [true], only: [false] }]',
      'flags.yaml:7: /invariants/0',
    ],
    [
      'a wrong demand',
      GOOD,
      'invariants: [{ key: a, flag: sso, never: [] }]',
      'flags.yaml:7: /invariants/0/never',
    ],
    ['no list', GOOD, 'invariants: { key: a }', 'flags.yaml:7: invariants must be a list'],
  ])('names the line of %s', async (_name, rules, demands, place) => {
    const { code, err } = await burgee(['test', '-f', 'flags.yaml'], fileOf(rules, demands), OFFLINE)
    expect(code).toBe(2)
    expect(err).toContain(place)
  })

  test('decides those of a project in each environment', async () => {
    const of = (body: object) => server.call({ path: `/api/projects/${server.project.id}/invariants`, body })
    expect((await of({ key: 'stored', flag: 'later', shape: { exists: false } })).status).toBe(200)
    const all = await burgee(['test', '-o', 'json'])
    expect(all.code).toBe(0)
    expect(JSON.parse(all.out)).toHaveLength(3)
    const one = await burgee(['test', '--env', 'staging'])
    expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/staging\n {2}holds +stored\n/) })
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/invariants/stored` })
  })
})

describe('invariants in files', () => {
  test('are planned, written after the flags, exported, and then nothing is left to do', async () => {
    const folder = fileOf(GOOD)
    const planned = await burgee(['plan', '-f', 'flags.yaml'], folder)
    expect(planned).toMatchObject({ code: 3, err: '' })
    expect(planned.out).toContain('+ invariant sso-needs-enterprise of ')
    const applied = await burgee(['apply', '-f', 'flags.yaml', '-o', 'json'], folder)
    expect(applied).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(applied.out).invariants).toMatchObject([
      { key: 'sso-needs-enterprise', action: 'create' },
      { key: 'sso-exists', action: 'create' },
    ])
    expect(await burgee(['plan', '-f', 'flags.yaml'], folder)).toMatchObject({ code: 0 })

    await burgee(['export', '--env', 'staging', '--out', 'out.yaml'], folder)
    const exported = parse(readFileSync(join(folder, 'out.yaml'), 'utf8'))
    expect(exported.invariants).toMatchObject([
      { key: 'sso-exists', enforcement: 'warn', environments: ['staging'] },
      { key: 'sso-needs-enterprise', never: [true] },
    ])
    expect(await burgee(['plan', '-f', 'out.yaml'], folder)).toMatchObject({ code: 0 })
    const elsewhere = await burgee(['export', '--env', 'production'])
    expect(parse(elsewhere.out).invariants).toMatchObject([{ key: 'sso-needs-enterprise' }])
  })

  test('refuse flags that violate them, and a violated one is refused with its line', async () => {
    const folder = fileOf(BAD)
    const refused = await burgee(['apply', '-f', 'flags.yaml'], folder)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('sso-needs-enterprise')
    expect(refused.err.trimEnd().split('\n')).toHaveLength(1)

    const demand = 'invariants: [{ key: never-off, flag: sso, never: [false] }]'
    const violated = await burgee(['apply', '-f', 'flags.yaml'], fileOf(GOOD, demand))
    expect(violated.code).toBe(1)
    expect(violated.err).toMatch(/flags\.yaml:7: invariant never-off: .*Flags and segments are applied/s)
  })
})
