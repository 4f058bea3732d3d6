import { REPORTED_USER_ID_MAX_LENGTH } from '@burgee/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createKey } from '../../reports/client-key.ts'
import { openEnvironment, type Reporting } from '../../reports/reporting.ts'

const USERS_MAX = 100

let server: TestServer
let reports: Reporting

beforeAll(async () => {
  server = await startTestServer({ env: { SEEN_USERS_MAX: String(USERS_MAX) } })
})
beforeEach(async () => {
  reports = await openEnvironment(server)
})
afterAll(() => server.close())

const seen = () =>
  server.database.db
    .selectFrom('seen_users')
    .select(['user_key', 'attributes', 'user_hash'])
    .where('environment_id', '=', reports.environment_id)
    .orderBy('user_key')
    .execute()
const keys = async () => (await seen()).map(({ user_key }) => user_key)
const waitForKeys = (count: number) =>
  eventually(async () => {
    const found = await keys()
    return found.length === count && found
  })
const see = async (users: readonly (string | null)[], context: object | null = null) => {
  const items = users.map((user_id) => ({ flag_key: 'checkout', user_id, value: 'true', context }))
  expect((await reports.ingest(items)).status).toBe(204)
}
const configure = (body: object, as: 'admin' | { bearer: string } = 'admin') =>
  server.call({
    path: `/api/projects/${server.project.id}/environments/${reports.environment_id}`,
    method: 'PATCH',
    body,
    as,
  })
const remove = (user_key: string) =>
  server.call({
    path: `/api/environments/${reports.environment_id}/seen-users/${encodeURIComponent(user_key)}`,
    method: 'DELETE',
  })
const addFlag = async (attribute: string) => {
  const rules = [{ attribute, operator: 'equals', values: ['x'] }]
  const path = `/api/environments/${reports.environment_id}/flags`
  const answer = await server.call({ path, body: { key: `by-${attribute}`, is_enabled: true, rules } })
  expect(answer.status).toBe(200)
}

describe('seen users', () => {
  it('the key of each user of an impression is kept once, without attributes and without evaluations without a user', async () => {
    await addFlag('plan')
    await see(['ada', 'bob', 'ada', null], { plan: 'pro' })
    await see(['bob', 'x'.repeat(REPORTED_USER_ID_MAX_LENGTH + 1)])
    expect(await waitForKeys(2)).toEqual(['ada', 'bob'])
    expect((await seen()).map(({ attributes }) => attributes)).toEqual([null, null])
  })

  it('only attributes that rules name and that are not private are kept, and an absent one is null', async () => {
    await addFlag('plan')
    await addFlag('country')
    await addFlag('salary')
    expect((await configure({ seen_users: 'attributes', private_attributes: ['salary'] })).status).toBe(200)
    await see(['ada'], { plan: 'pro', salary: 10, email: 'ada@example.com' })
    await see(['bob'])
    await waitForKeys(2)
    const [ada, bob] = await seen()
    expect(ada?.attributes).toEqual({ plan: 'pro', country: null })
    expect(bob?.attributes).toBeNull()
    await see(['bob'], { plan: 'free' })
    await eventually(async () => (await seen())[1]?.attributes?.plan === 'free')
    expect((await configure({ private_attributes: ['plan'] })).status).toBe(200)
    expect((await seen()).map(({ attributes }) => attributes)).toEqual([{ country: null }, { country: null }])
    expect((await configure({ seen_users: 'keys' })).status).toBe(200)
    expect((await seen()).map(({ attributes }) => attributes)).toEqual([null, null])
  })

  it('an environment that keeps none removes those that it has, and stores no others', async () => {
    await see(['ada'])
    await waitForKeys(1)
    expect((await configure({ seen_users: 'off' })).status).toBe(200)
    expect(await keys()).toEqual([])
    await see(['bob'])
    const elsewhere = await openEnvironment(server)
    const [off, other] = [reports, elsewhere]
    reports = other
    await see(['carol'])
    await waitForKeys(1)
    reports = off
    expect(await keys()).toEqual([])
  })

  it('the users with the smallest hashes are kept beyond SEEN_USERS_MAX, whatever the order in which they come', async () => {
    const users = Array.from({ length: 3 * USERS_MAX }, (_, n) => `user-${n}`)
    await see(users.slice(0, 2 * USERS_MAX))
    const first = await waitForKeys(USERS_MAX)
    await see(users.slice(2 * USERS_MAX))
    const kept = await eventually(async () => {
      const found = await seen()
      const isNewer = found.some(({ user_key }) => !first.includes(user_key))
      return isNewer && found.length === USERS_MAX && found
    })
    // The rollup of users has the hash of everybody.
    const { rows } = await server.database.pool.query(
      'select user_hash from impression_users where environment_id = $1 order by user_hash limit $2',
      [reports.environment_id, USERS_MAX],
    )
    const hashes = kept.map(({ user_hash }) => user_hash.toString('hex')).sort()
    expect(hashes).toEqual(rows.map(({ user_hash }) => user_hash.toString('hex')))
  })

  it('a removed user is gone from every day, and the audit log does not say who it was', async () => {
    await see(['ada/1', 'bob'])
    await waitForKeys(2)
    expect((await remove('ada/1')).status).toBe(204)
    expect(await keys()).toEqual(['bob'])
    expect((await remove('x'.repeat(300))).status).toBe(204)
    expect((await remove('unknown')).status).toBe(204)
    const { rows } = await server.database.pool.query(
      'select action, metadata::text from audit_log where environment_id = $1 order by id desc limit 1',
      [reports.environment_id],
    )
    expect(rows[0].action).toBe('delete')
    expect(rows[0].metadata).not.toContain('unknown')
    expect((await remove('x'.repeat(301))).status).toBe(404)
    const path = `/api/environments/${reports.environment_id}/reports?user_id=bob`
    expect((await server.call({ path, method: 'DELETE' })).status).toBe(200)
    expect(await keys()).toEqual([])
  })

  it('an SDK key cannot decide what is kept, and a list of private attributes is bounded', async () => {
    const key = await createKey(server, reports.environment_id, 'server')
    expect((await configure({ seen_users: 'attributes' }, key)).status).toBe(403)
    expect((await configure({ private_attributes: [] }, key)).status).toBe(403)
    const many = Array.from({ length: 101 }, (_, n) => `a${n}`)
    expect((await configure({ private_attributes: many })).status).toBe(422)
    expect((await configure({ seen_users: 'everything' })).status).toBe(422)
  })
})
