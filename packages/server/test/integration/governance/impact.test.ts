import { randomUUID } from 'node:crypto'
import { type Attributes, createFlagSet } from '@burgee/evaluation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../fuzz/random.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Call, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const CHANGES = process.env.BURGEE_FULL === '1' ? 1_000 : 25
const USERS = process.env.BURGEE_FULL === '1' ? 1_000 : 60
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 11)
/** Minutes in its full form. */
const TIMEOUT_MS = 1_200_000

let server: TestServer
let path: string
let staging: string
beforeAll(async () => {
  server = await startTestServer()
  path = `/api/environments/${server.environments.production}`
  staging = `/api/environments/${server.environments.staging}`
})
afterAll(() => server?.close())

const PLAN = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const FLAGS = [
  { key: 'plain', is_enabled: true, rollout_percentage: 50 },
  { key: 'ruled', is_enabled: true, rollout_percentage: 0, rules: [PLAN, { segment_key: 'beta' }] },
  {
    key: 'colour',
    is_enabled: true,
    flag_type: 'string',
    variants: [
      { weight: 1, value: 'red' },
      { weight: 1, value: 'blue' },
    ],
    prerequisites: [{ flag_key: 'ruled' }],
  },
  { key: 'deep', is_enabled: true, prerequisites: [{ flag_key: 'colour', required_value: 'red' }] },
]
const SEGMENTS = [
  { key: 'beta', name: 'Beta', included_keys: ['user-1', 'user-2'] },
  { key: 'other', name: 'Other', rules: [{ attribute: 'age', operator: 'greater_than', values: ['30'] }] },
]

beforeAll(async () => {
  const applied = await server.call({ path: `${path}/apply`, body: { flags: FLAGS, segments: SEGMENTS } })
  expect(applied.status).toBe(200)
})

interface User {
  readonly user_key: string
  readonly attributes: Attributes
}
const users: readonly User[] = Array.from({ length: USERS }, (_, at) => ({
  user_key: `user-${at}`,
  attributes: {
    ...(at % 3 > 0 && { plan: at % 3 === 1 ? 'pro' : 'free' }),
    ...(at % 2 === 0 && { age: at }),
  },
}))

const impact = (body: object) => server.call({ path: `${path}/impact`, body })

/** Returns the result of each flag and user, by an SDK's flags. */
async function evaluateAll(): Promise<Map<string, string>> {
  const { body } = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
  const set = createFlagSet(body)
  return new Map(
    FLAGS.flatMap(({ key }) =>
      users.map(({ attributes, user_key }) => {
        const { enabled, value } = set.resolve(key, user_key, attributes)
        return [`${key} ${user_key}`, JSON.stringify([value, enabled])] as const
      }),
    ),
  )
}

interface Chosen {
  /** A write of another environment that comes first. */
  readonly prepare?: Call
  readonly change: object
  readonly write: Call
}

/** Returns a random change, and the write that makes it. */
function choose(random: ReturnType<typeof createRandom>): Chosen {
  const key = random.pick(FLAGS).key
  const patches: object[] = [
    { rollout_percentage: random.pick([0, 10, 50, 90, 100]) },
    { is_enabled: random.pick([true, false]) },
    { rules: [{ ...PLAN, values: [random.pick(['pro', 'free'])] }] },
    { rules: [{ segment_key: random.pick(['beta', 'other']) }] },
    { prerequisites: [] },
  ]
  const patch = random.pick(patches)
  const members = { included_keys: [random.pick(users).user_key, random.pick(users).user_key] }
  const segment = random.pick(SEGMENTS).key
  const promoted = { ...random.pick(FLAGS), key, ...patch }
  const options = { copy_segments: random.pick([true, false]) }
  return random.pick<Chosen>([
    {
      change: { flag_key: key, operation: 'patch', patch },
      write: { path: `${path}/flags/${key}`, method: 'PATCH', body: patch },
    },
    {
      change: { segment_key: segment, patch: members },
      write: { path: `${path}/segments/${segment}`, method: 'PATCH', body: members },
    },
    {
      prepare: { path: `${staging}/flags`, body: promoted },
      change: { promote: { source_env_id: server.environments.staging, flag_key: key, ...options } },
      write: {
        path: `${staging}/flags/${key}/promote`,
        body: { target_env_id: server.environments.production, ...options },
      },
    },
  ])
}

describe('the impact of changes that are not made', () => {
  it(
    'is what SDKs get afterwards, for users whose attributes are known',
    async () => {
      const random = createRandom(SEED)
      for (let count = 0; count < CHANGES; count += 1) {
        const { change, prepare, write } = choose(random)
        if (prepare) expect((await server.call(prepare)).status).toBe(200)
        const before = await evaluateAll()
        const { body, status } = await impact({ changes: [change], users, examples: 100 })
        expect(status, JSON.stringify(body)).toBe(200)
        const written = await server.call(write)
        expect(written.status, JSON.stringify(written.body)).toBe(200)
        const after = await evaluateAll()
        const moved = [...after].filter(([at, result]) => before.get(at) !== result)
        for (const { key } of FLAGS) {
          const of = moved.filter(([at]) => at.startsWith(`${key} `))
          const found = body.flags.find(({ flag_key }: { flag_key: string }) => flag_key === key)
          expect(found?.changed ?? 0, JSON.stringify(change)).toBe(of.length)
          for (const flip of found?.flips ?? []) {
            expect(flip.possible).toBe(0)
            const fits = of.filter(([at, result]) => {
              const wanted = [
                JSON.stringify([flip.from, flip.from_enabled]),
                JSON.stringify([flip.to, flip.to_enabled]),
              ]
              return before.get(at) === wanted[0] && result === wanted[1]
            })
            expect(flip.certain).toBe(fits.length)
          }
        }
        const people = new Set(moved.map(([at]) => at.split(' ')[1]))
        expect(body.changed).toEqual({ certain: people.size, possible: 0 })
        expect(body).toMatchObject({
          exact: true,
          users: { known: USERS, with_attributes: USERS, all: null },
        })
      }
    },
    TIMEOUT_MS,
  )

  it('is certain or possible for users whose attributes are not known', async () => {
    const flag = { key: 'unsure', is_enabled: true, rollout_percentage: 0, rules: [PLAN] }
    await server.call({ path: `${path}/flags`, body: flag })
    const of = async (patch: object) => {
      const changes = [{ flag_key: 'unsure', operation: 'patch', patch }]
      const { body } = await impact({ changes, users: [{ user_key: 'ann' }, { user_key: 'ben' }] })
      return { ...body.changed, exact: body.exact }
    }
    expect(await of({ default_value: true, rollout_percentage: 100 })).toEqual({
      certain: 0,
      possible: 2,
      exact: false,
    })
    expect(await of({ rules: [], rollout_percentage: 0 })).toEqual({ certain: 0, possible: 2, exact: false })
    expect(await of({ description: 'Nothing for users' })).toEqual({ certain: 0, possible: 0, exact: true })
    expect(await of({ flag_type: 'boolean', disabled_value: true, rules: [] })).toMatchObject({ certain: 2 })
  })

  it('counts users who were seen, and several changes at once', async () => {
    const impressions = Array.from({ length: 40 }, (_, at) => ({
      flag_key: 'plain',
      user_id: `seen-${at}`,
      value: 'true',
      evaluated_at: new Date().toISOString(),
    }))
    await server.call({ path: `${path}/impressions`, body: impressions })
    await server.call({ path: `${path}/flags`, body: { key: 'simple', is_enabled: true } })
    const changes = [
      { flag_key: 'simple', operation: 'patch', patch: { is_enabled: false } },
      { flag_key: 'fresh', operation: 'replace', flag: { key: 'fresh', is_enabled: true } },
    ]
    await eventually(async () => (await impact({ changes })).body.users.known === 40)
    const { body } = await impact({ changes })
    expect(body.users).toEqual({ known: 40, with_attributes: 0, all: { estimate: 40, low: 40, high: 40 } })
    expect(body.changed).toEqual({ certain: 40, possible: 0 })
    expect(body.exact).toBe(true)
    const [simple, fresh] = body.flags
    expect(simple).toMatchObject({
      flag_key: 'simple',
      cause: 'changed',
      flips: [{ from: true, to: false }],
    })
    expect(simple.flips[0].examples).toHaveLength(5)
    expect(fresh).toMatchObject({ flag_key: 'fresh', flips: [{ from: null, to: true, certain: 40 }] })
    const flags = await server.call({ path: `${path}/flags` })
    expect(JSON.stringify(flags.body)).not.toContain('fresh')
  })

  it('refuses what the write would refuse, and more than its limits', async () => {
    const refused = async (body: object, status = 422) => {
      const answer = await impact(body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      return answer.body.error
    }
    expect(await refused({ changes: [{ flag_key: 'gone', operation: 'archive' }] }, 404)).toContain('flag')
    expect(await refused({ changes: [{ segment_key: 'gone', patch: null }] }, 404)).toContain('segment')
    expect(await refused({ changes: [{ flag_key: 'plain', operation: 'patch' }] })).toContain(
      '/changes/0/patch',
    )
    const patch = { default_value: 'text' }
    expect(await refused({ changes: [{ flag_key: 'plain', operation: 'patch', patch }] })).toContain(
      '/changes/0/patch/default_value',
    )
    const rules = [{ attribute: 'a' }]
    expect(await refused({ changes: [{ segment_key: 'beta', patch: { rules } }] })).toContain(
      '/changes/0/patch/rules/0/operator',
    )
    await refused({ changes: [] })
    const many = Array.from({ length: 10_001 }, (_, at) => ({ user_key: `u${at}` }))
    await refused({ changes: [{ flag_key: 'plain', operation: 'delete' }], users: many })
    const taken = [{ segment_key: 'beta', patch: { key: 'other' } }]
    await refused({ changes: taken }, 409)
  })

  it('lists at most 2 Mi characters of examples, and counts every user', async () => {
    const given = Array.from({ length: 6 }, (_, at) => ({
      user_key: `${at}-${'x'.repeat(1_000_000)}`,
      attributes: {},
    }))
    const { body } = await impact({
      changes: [{ flag_key: 'plain', operation: 'delete' }],
      users: given,
      examples: 100,
    })
    expect(JSON.stringify(body).length).toBeLessThan(2.1 * 1024 * 1024)
    expect(body.changed.certain).toBe(6)
    expect(body.flags[0].changed).toBe(6)
  })

  it('has the exact share of keys where attributes decide nothing, and the warnings of the writes', async () => {
    await server.call({
      path: `${path}/flags`,
      body: { key: 'shared', is_enabled: true, rollout_percentage: 10 },
    })
    const of = (patch: object) => impact({ changes: [{ flag_key: 'shared', operation: 'patch', patch }] })
    const raised = await of({ rollout_percentage: 35 })
    expect(raised.body.flags[0]).toMatchObject({ flag_key: 'shared', hash_share: 25 })
    expect(raised.body.warnings).toEqual([])
    const ruled = await of({ rules: [{ segment_key: 'none' }, PLAN] })
    expect(ruled.body.flags[0]).not.toHaveProperty('hash_share')
    expect(ruled.body.warnings).toMatchObject([
      { code: 'unknown_segment', path: '/shared/rules/0/segment_key' },
    ])
  })

  it('is that of a promotion with the segments it copies, and refuses another source', async () => {
    const segment = { key: 'fans', name: 'Fans', included_keys: ['user-3', 'user-4'] }
    await server.call({ path: `${staging}/segments`, body: segment })
    const flag = { key: 'moved', is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: 'fans' }] }
    await server.call({ path: `${staging}/flags`, body: flag })
    const of = (promote: object, as?: Call['as']) =>
      server.call({ path: `${path}/impact`, body: { changes: [{ promote }], users }, ...(as && { as }) })
    const source = { source_env_id: server.environments.staging, flag_key: 'moved' }
    expect((await of({ ...source, copy_segments: true })).body.flags[0].flips).toMatchObject([
      { to: false, certain: USERS - 2 },
      { to: true, certain: 2 },
    ])
    const alone = await of(source)
    expect(alone.body.flags[0].flips).toMatchObject([{ to: false, certain: USERS }])
    expect(alone.body.warnings).toMatchObject([
      { code: 'unknown_segment', path: '/moved/rules/0/segment_key' },
    ])

    const refused = async (promote: object, status: number, as?: Call['as']) => {
      const answer = await of(promote, as)
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      return answer.body.error
    }
    await refused({ ...source, flag_key: 'gone' }, 404)
    await refused({ ...source, source_env_id: randomUUID() }, 422)
    expect(await refused({ ...source, source_env_id: server.environments.production }, 422)).toContain(
      '/changes/0/promote/source_env_id',
    )
    expect(await refused(source, 403, { bearer: server.sdkKey })).toContain(
      'This key belongs to the environment',
    )
    const other = await server.call({ path: '/api/projects', body: { name: 'Other' } })
    const [foreign] = (await server.call({ path: `/api/projects/${other.body.id}/environments` })).body
    await refused({ ...source, source_env_id: foreign.id }, 422)
  })

  it('is that of a change request while it is pending', async () => {
    await server.call({ path: `${path}/flags`, body: { key: 'guarded', is_enabled: true } })
    const settings = `/api/projects/${server.project.id}/environments/${server.environments.production}`
    await server.call({ path: `${settings}/require-approval`, body: { require_approval: true } })
    const opened = await server.call({
      path: `${path}/flags/guarded`,
      method: 'PATCH',
      body: { is_enabled: false },
    })
    expect(opened.status, JSON.stringify(opened.body)).toBe(202)
    const of = (change_request_id: number) => impact({ changes: [{ change_request_id }], users })
    expect((await of(opened.body.id)).body).toMatchObject({
      changed: { certain: USERS },
      flags: [{ flag_key: 'guarded', flips: [{ from: true, to: false }] }],
    })
    expect((await of(opened.body.id + 1000)).status).toBe(404)
    await server.call({ path: `${path}/change-requests/${opened.body.id}`, method: 'DELETE' })
    expect((await of(opened.body.id)).body.error).toContain('is cancelled already')
  })

  it('is stored when a change is requested or scheduled, and is part of the audit log of its execution', async () => {
    const environment_id = server.environments.development
    const at = `/api/environments/${environment_id}`
    const settings = `/api/projects/${server.project.id}/environments/${environment_id}/require-approval`
    await server.call({ path: `${at}/flags`, body: { key: 'kept', is_enabled: true } })
    const patch = { is_enabled: false, rollout_percentage: 50 }
    const impressions = ['ann', 'ben'].map((user_id) => ({
      ...{ flag_key: 'kept', user_id, value: 'true', evaluated_at: new Date().toISOString() },
    }))
    await server.call({ path: `${at}/impressions`, body: impressions })
    await eventually(async () => {
      const changes = [{ flag_key: 'kept', operation: 'archive' }]
      return (await server.call({ path: `${at}/impact`, body: { changes } })).body.users.known === 2
    })

    const soon = new Date(Date.now() + 1500).toISOString()
    const body = { scheduled_at: soon, patch }
    const scheduled = await server.call({ path: `${at}/flags/kept/scheduled-changes`, body })
    const plain = await server.call({ path: `${at}/scheduled-changes` })
    expect(plain.body).toEqual([scheduled.body])
    const listed = () => server.call({ path: `${at}/scheduled-changes?impact=true` })
    await eventually(async () => (await listed()).body[0].impact !== null)
    const [change] = (await listed()).body
    const flags = [{ flag_key: 'kept', hash_share: 100 }]
    expect(change.impact).toMatchObject({ flags, computed_at: expect.any(String), warnings: [] })

    await server.call({ path: settings, body: { require_approval: true } })
    const opened = await server.call({ path: `${at}/flags/kept`, method: 'PATCH', body: patch })
    expect(opened.status).toBe(202)
    const read = await server.call({ path: `${at}/change-requests/${opened.body.id}` })
    expect(read.body.impact).toMatchObject({ flags })
    expect((await server.call({ path: `${at}/change-requests` })).body[0].impact).toBeUndefined()
    await server.call({ path: settings, body: { require_approval: false } })

    await eventually(async () => (await listed()).body[0].executed_at !== null)
    const audit = await server.call({ path: `${at}/audit?limit=10` })
    const entry = audit.body.find(
      ({ metadata }: { metadata: { scheduled_change_id?: string; impact?: object } }) =>
        metadata.scheduled_change_id === scheduled.body.id && metadata.impact,
    )
    expect(entry.metadata.impact).toMatchObject({ known: 2, changed: { certain: 2, possible: 0 } })
  })
})
