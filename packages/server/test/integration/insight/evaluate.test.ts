import { createFlagSet } from '@burgee/evaluation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from '../../harness/dump-database.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const FLAGS = [
  { key: 'plain', is_enabled: true },
  { key: 'off', is_enabled: false },
  { key: 'ruled', is_enabled: true, rollout_percentage: 0, rules: [RULE, { segment_key: 'beta' }] },
  { key: 'half', is_enabled: true, rollout_percentage: 50 },
  {
    key: 'colour',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'blue',
    variant_names: { calm: 'blue' },
    prerequisites: [{ flag_key: 'ruled' }],
  },
  { key: 'gone', is_enabled: true },
]

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  const segments = [{ key: 'beta', name: 'Beta', included_keys: ['ann'] }]
  expect((await server.call({ path: `${environment}/apply`, body: { flags: FLAGS, segments } })).status).toBe(
    200,
  )
  await server.call({ path: `${environment}/flags/gone/archive`, method: 'POST' })
})
afterAll(() => server.close())

const evaluate = (body: unknown) => server.call({ path: `${environment}/evaluate`, body })

/** The tables that requests may write to, except for the use of their credential. */
async function recorded() {
  const { tables } = await dumpDatabase(server.database.pool)
  return tables.filter(({ place }) => /audit|impression|event|change|unknown|flag/.test(place))
}

describe('an evaluation by the API', () => {
  it('has the results of named flags in the order of their keys, with the steps to each', async () => {
    const flag_keys = ['ruled', 'nowhere', 'colour', 'gone', 'ruled']
    const { body, status } = await evaluate({ user_key: 'ann', attributes: { plan: 'free' }, flag_keys })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      environment_id: server.environments.production,
      revision: expect.any(Number),
      at: expect.any(String),
    })
    const [colour, gone, nowhere, ruled] = body.flags
    const missing = { value: null, enabled: false, reason: 'FLAG_NOT_FOUND' }
    expect([gone, nowhere]).toEqual([
      { flag_key: 'gone', ...missing },
      { flag_key: 'nowhere', ...missing },
    ])
    expect(ruled).toMatchObject({ flag_key: 'ruled', value: true, reason: 'TARGETING_MATCH', rule_index: 1 })
    expect(ruled.trace.rules.map(({ origin, state }: Rule) => [origin, state])).toEqual([
      [{ rule_index: 0, segment_keys: [] }, 'no_match'],
      [{ rule_index: 1, segment_keys: ['beta'] }, 'matched'],
    ])
    expect(ruled.trace).toMatchObject({ decided: 'rules', switch: 'on', rollout: { percentage: 0 } })
    expect(colour).toMatchObject({ value: 'blue', variant: 'calm', enabled: true })
    expect(colour.trace.prerequisites).toMatchObject([
      { flag_key: 'ruled', state: 'met', value: true, trace: { decided: 'rules' } },
    ])
  })

  it('has all flags of the environment, with the results of an SDK and without steps', async () => {
    const user = { user_key: 'ben', attributes: { plan: ['pro', 'x'], age: 3, odd: { a: 1 }, none: null } }
    const { body } = await evaluate(user)
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    const set = createFlagSet(snapshot.body)
    const context = { userKey: 'ben', attributes: user.attributes as never }
    const keys = [...set.keys()].sort()
    expect(body.flags).toEqual(keys.map((flag_key) => ({ flag_key, ...set.evaluate(flag_key, context) })))
    const traced = await evaluate({ ...user, trace: true })
    expect(traced.body.flags.map(({ trace: _, ...rest }: { trace?: unknown }) => rest)).toEqual(body.flags)
    expect(traced.body.flags[0].trace).toBeDefined()
  })

  it('has the steps of up to ten named flags, unless the caller says otherwise', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? 'plain' : `f${at}`))
    const traceOf = async (body: object) => {
      const answer = await evaluate(body)
      return answer.body.flags.find(({ flag_key }: { flag_key: string }) => flag_key === 'plain').trace
    }
    expect(await traceOf({ flag_keys: names(10) })).toBeDefined()
    expect(await traceOf({ flag_keys: names(11) })).toBeUndefined()
    expect(await traceOf({ flag_keys: names(100), trace: true })).toBeDefined()
    expect(await traceOf({ flag_keys: names(1), trace: false })).toBeUndefined()
  })

  it('is the same for an empty body, no user and the user null, and records nothing', async () => {
    const before = await recorded()
    const [empty, anonymous] = [await evaluate({}), await evaluate({ user_key: null, attributes: {} })]
    expect(anonymous.body.flags).toEqual(empty.body.flags)
    expect(empty.body.flags).toHaveLength(FLAGS.length - 1)
    expect((await server.call({ path: `${environment}/evaluate`, method: 'POST' })).body.flags).toEqual(
      empty.body.flags,
    )
    expect(await recorded()).toEqual(before)
  })

  it('is of the revision that it names, and of the present since the last change', async () => {
    const { body } = await evaluate({ flag_keys: ['off'] })
    expect((await evaluate({ revision: body.revision })).status).toBe(200)
    const at = new Date().toISOString()
    const then = await evaluate({ at })
    expect(then.body).toMatchObject({ at, revision: body.revision })
  })

  it('refuses what it cannot evaluate, and says why', async () => {
    const refused = async (body: unknown) => {
      const answer = await evaluate(body)
      expect(answer.status).toBe(422)
      return answer.body.error
    }
    for (const attributes of [null, [], 'plan', 3])
      expect(await refused({ attributes })).toContain('attributes')
    await refused({ user_key: 7 })
    await refused({ flag_keys: Array.from({ length: 101 }, (_, at) => `f${at}`) })
    expect(await refused({ at: '2999-01-01T00:00:00Z' })).toContain('in the future')
    expect(await refused({ at: '2001-01-01T00:00:00Z' })).toContain('too long ago')
    expect(await refused({ revision: 1_000_000 })).toContain('does not exist yet')
    expect(await refused({ revision: 1, at: '2001-01-01T00:00:00Z' })).toContain('two moments')
  })

  it('of attributes with too many elements is an ERROR of the flags that read them', async () => {
    const plan = Array.from({ length: 90_000 }, () => 1)
    const { body } = await evaluate({ attributes: { plan: [plan, [[]]] }, flag_keys: ['plain'] })
    expect(body.flags[0].reason).toBe('STATIC')
    const deep = await evaluate({ attributes: { plan: 'x'.repeat(900_000) }, flag_keys: ['ruled'] })
    expect(JSON.stringify(deep.body).length).toBeLessThan(5_000)
  })

  it('is refused to a client key, and open to a read_only token and a server key', async () => {
    const created = await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: 'browser', environment_id: server.environments.production, kind: 'client' },
    })
    const token = await server.call({
      path: '/api/tokens',
      body: { name: 'reader', scope: 'read_only' },
    })
    const statusFor = async (bearer: string) =>
      (await server.call({ path: `${environment}/evaluate`, body: {}, as: { bearer } })).status
    expect(await statusFor(created.body.key)).toBe(403)
    expect(await statusFor(server.sdkKey)).toBe(200)
    expect(await statusFor(token.body.token)).toBe(200)
    const unknown = `/api/environments/${crypto.randomUUID()}/evaluate`
    expect((await server.call({ path: unknown, body: {} })).status).toBe(404)
  })
})

interface Rule {
  readonly origin: unknown
  readonly state: string
}

describe('an evaluation of many flags', () => {
  it('is streamed, whole and of one revision', async () => {
    const staging = `/api/environments/${server.environments.staging}`
    const flags = Array.from({ length: 1_000 }, (_, at) => ({
      key: `flag-${String(at).padStart(4, '0')}`,
      is_enabled: true,
      rollout_percentage: at % 100,
      rules: [RULE, { ...RULE, attribute: 'country' }],
    }))
    const applied = await server.call({ path: `${staging}/apply`, body: { flags } })
    const { body } = await server.call({
      path: `${staging}/evaluate`,
      body: { user_key: 'ann', trace: true },
    })
    expect(body.revision).toBe(applied.body.revision)
    expect(body.flags.map(({ flag_key }: { flag_key: string }) => flag_key)).toEqual(
      flags.map(({ key }) => key),
    )
    expect(body.flags.at(-1).trace.rules).toHaveLength(2)
  })
})
