import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const USERS = 120
const SEGMENT = { key: 'beta', name: 'Beta', included_keys: ['user-1', 'user-2'] }
const FLAGS = [
  { key: 'plain', is_enabled: true, rollout_percentage: 50 },
  { key: 'ruled', is_enabled: true, rollout_percentage: 0, rules: [{ segment_key: 'beta' }] },
  { key: 'deep', is_enabled: true, prerequisites: [{ flag_key: 'ruled' }] },
]

let server: TestServer
let path: string
let from: string
beforeAll(async () => {
  server = await startTestServer()
  path = `/api/environments/${server.environments.production}`
  await server.call({ path: `${path}/apply`, body: { flags: FLAGS, segments: [SEGMENT] } })
  const body = Array.from({ length: USERS }, (_, nth) => ({
    ...{ flag_key: 'plain', user_id: `user-${nth}`, value: 'true' },
    evaluated_at: new Date().toISOString(),
  }))
  await server.call({ path: `${path}/impressions`, body })
  const changes = [{ flag_key: 'plain', operation: 'archive' }]
  await eventually(async () => {
    const answer = await server.call({ path: `${path}/impact`, body: { changes } })
    return answer.body.users.known === USERS
  })
  from = new Date().toISOString()
})
afterAll(() => server?.close())

const incident = async (query: string) =>
  (await server.call({ path: `/api/incident?from=${from}${query}` })).body

/** Each change as a prediction takes it, and the write that makes it. */
const CHANGES = [
  {
    change: { flag_key: 'plain', operation: 'patch', patch: { rollout_percentage: 80 } },
    write: { method: 'PATCH', path: '/flags/plain', body: { rollout_percentage: 80 } },
  },
  {
    change: { segment_key: 'beta', patch: { included_keys: ['user-2', 'user-3', 'user-4'] } },
    write: {
      method: 'PATCH',
      path: '/segments/beta',
      body: { included_keys: ['user-2', 'user-3', 'user-4'] },
    },
  },
  {
    change: { flag_key: 'ruled', operation: 'patch', patch: { is_enabled: false } },
    write: { method: 'PATCH', path: '/flags/ruled', body: { is_enabled: false } },
  },
  {
    change: { flag_key: 'plain', operation: 'patch', patch: { description: 'Changed' } },
    write: { method: 'PATCH', path: '/flags/plain', body: { description: 'Changed' } },
  },
  {
    change: { flag_key: 'deep', operation: 'delete' },
    write: { method: 'DELETE', path: '/flags/deep' },
  },
]

it('the impact of a past write is what was predicted of it, for the users of now', async () => {
  const predicted: object[] = []
  for (const { change, write } of CHANGES) {
    const { body, status } = await server.call({
      path: `${path}/impact`,
      body: { changes: [change], examples: 3 },
    })
    expect(status).toBe(200)
    const { changed, exact, flags, users } = body
    const without = flags.map(({ hash_share: _, ...flag }: { hash_share?: number }) => flag)
    predicted.push({ users, exact, changed, flags: without })
    const made = await server.call({ ...write, path: path + write.path })
    expect(made.status).toBeLessThan(300)
  }
  const entries = await incident('&impact=true')
  expect(entries.map(({ impact }: { impact: object }) => impact).toReversed()).toEqual(predicted)
  expect(entries.map(({ impact }: { impact: { changed: object } }) => impact.changed)).toContainEqual({
    certain: 3,
    possible: 0,
  })
})

it('only the newest writes have an impact, and one that SDKs did not notice has none', async () => {
  for (let nth = 0; nth < 21; nth += 1)
    await server.call({ method: 'PATCH', path: `${path}/flags/plain`, body: { rollout_percentage: nth } })
  const entries = await incident('&impact=true')
  const has = entries.map((entry: object) => 'impact' in entry)
  expect(has.slice(0, 21)).toEqual([...Array.from({ length: 20 }, () => true), false])
  await server.call({ path: `${path}/segments`, body: { key: 'unused', name: 'Unused' } })
  const [created] = await incident('&impact=true&limit=1')
  expect(created).toMatchObject({ segment_key: 'unused', impact: null })
  expect(await incident('&limit=1')).not.toContainEqual(expect.objectContaining({ impact: null }))
})
