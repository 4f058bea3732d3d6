import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSeenSamples } from '../../../src/governance/impact/seen-samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { openEnvironment, type Reporting } from '../../reports/reporting.ts'

const LIMIT = 1000

let server: TestServer
let reports: Reporting
/** Tasks that the samples have put off. */
let tasks: (() => void)[] = []
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  tasks = []
  reports = await openEnvironment(server)
})
afterAll(() => server.close())

const samples = (bounds: { keptFromUsers?: number; keptMaxLength?: number } = {}) =>
  createSeenSamples(
    { db: server.database.db, later: (task) => tasks.push(task) },
    { keptFromUsers: 1, ...bounds },
  )
const place = () => ({ environment_id: reports.environment_id, days: undefined, limit: LIMIT })
const usersOf = ({ pages }: { readonly pages: readonly string[] }) =>
  Object.fromEntries(
    pages.flatMap((page) => {
      const items = JSON.parse(page) as unknown[]
      return Array.from({ length: items.length / 2 }, (_, nth) => [items[2 * nth], items[2 * nth + 1]])
    }),
  )
const count = async () =>
  (
    await server.database.db
      .selectFrom('seen_users')
      .select('user_key')
      .where('environment_id', '=', reports.environment_id)
      .execute()
  ).length
/** Reports users and waits until that many are stored. */
const see = async (users: readonly string[], stored: number, context: object | null = null) => {
  const items = users.map((user_id) => ({ flag_key: 'checkout', user_id, value: 'true', context }))
  expect((await reports.ingest(items)).status).toBe(204)
  await eventually(async () => (await count()) === stored)
}
const configure = (body: object) =>
  server.call({
    path: `/api/projects/${server.project.id}/environments/${reports.environment_id}`,
    method: 'PATCH',
    body,
  })
const remove = (user: string) =>
  server.call({
    path: `/api/environments/${reports.environment_id}/seen-users/${encodeURIComponent(user)}`,
    method: 'DELETE',
  })

describe('samples of seen users', () => {
  it('have every user in the order of the hashes, whatever their keys contain', async () => {
    const users = ['ada', 'b"o\\b', 'é\u2028😀', ...Array.from({ length: 250 }, (_, nth) => `user-${nth}`)]
    await see(users, users.length)
    const sample = await samples().read(place())
    expect(sample).toMatchObject({ count: users.length, isCut: false })
    expect(sample.pages.length).toBe(3)
    expect(usersOf(sample)).toEqual(Object.fromEntries(users.map((user) => [user, null])))
    const few = await samples().read({ ...place(), limit: 10 })
    expect(few.count).toBe(10)
    expect(Object.keys(usersOf(sample)).slice(0, 10)).toEqual(Object.keys(usersOf(few)))
    expect(few.lastPlace).toBeLessThan(sample.lastPlace)
    expect(sample.lastPlace).toBeLessThan(1)
    expect(
      await samples().read({ ...place(), environment_id: server.environments.production }),
    ).toMatchObject({
      ...{ count: 0, pages: [], lastPlace: 0, isCut: false },
    })
  })

  it('are read again after half a minute, and a small one each time', async () => {
    await see(['ada', 'bob'], 2)
    const [kept, small] = [samples(), samples({ keptFromUsers: 3 })]
    const [first] = [await kept.read(place()), await small.read(place())]
    await see(['eve'], 3)
    expect(await kept.read(place())).toBe(first)
    expect((await kept.read({ ...place(), days: 1 })).count).toBe(3)
    expect((await small.read(place())).count).toBe(3)
    for (const task of tasks) task()
    expect((await kept.read(place())).count).toBe(3)
  })

  it('never have a user or an attribute that was removed before, by whatever server', async () => {
    await configure({ seen_users: 'attributes' })
    const rules = ['plan', 'country'].map((attribute) => ({ attribute, operator: 'equals', values: ['x'] }))
    const path = `/api/environments/${reports.environment_id}/flags`
    await server.call({ path, body: { key: 'checkout', is_enabled: true, rules } })
    const kept = samples()
    await see(['ada', 'bob'], 2, { plan: 'pro', country: 'NO' })
    const all = { plan: 'pro', country: 'NO' }
    expect(usersOf(await kept.read(place()))).toEqual({ ada: all, bob: all })
    await configure({ private_attributes: ['country'] })
    expect(usersOf(await kept.read(place()))).toEqual({ ada: { plan: 'pro' }, bob: { plan: 'pro' } })
    await remove('ada')
    expect(usersOf(await kept.read(place()))).toEqual({ bob: { plan: 'pro' } })
    await configure({ seen_users: 'keys' })
    expect(usersOf(await kept.read(place()))).toEqual({ bob: null })
    await configure({ seen_users: 'off' })
    expect(usersOf(await kept.read(place()))).toEqual({})
  })

  it('are kept within a bound, the newest first, and read once for concurrent analyses', async () => {
    await see(['ada', 'bob'], 2)
    const { length = 0 } = (await samples().read(place())).pages[0] ?? {}
    const kept = samples({ keptMaxLength: length })
    const [first, same] = await Promise.all([kept.read(place()), kept.read(place())])
    expect(same).toBe(first)
    expect(await kept.read(place())).toBe(first)
    await kept.read({ ...place(), days: 1 })
    expect(await kept.read(place())).not.toBe(first)
  })
})
