import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const USERS = 400
const KEPT = 100

let server: TestServer
let path: string
beforeAll(async () => {
  server = await startTestServer({ env: { SEEN_USERS_MAX: String(KEPT) } })
  path = `/api/environments/${server.environments.production}`
  await server.call({ path: `${path}/flags`, body: { key: 'root', is_enabled: true } })
  const body = Array.from({ length: USERS }, (_, nth) => ({
    ...{ flag_key: 'root', user_id: `user-${nth}`, value: 'true' },
    evaluated_at: new Date().toISOString(),
  }))
  await server.call({ path: `${path}/impressions`, body })
})
afterAll(() => server.close())

it('a sample estimates how many of all users change, and max_changed_users compares that', async () => {
  const patch = { is_enabled: false }
  const body = { changes: [{ flag_key: 'root', operation: 'patch', patch }] }
  const impact = await eventually(async () => {
    const answer = (await server.call({ path: `${path}/impact`, body })).body
    return answer.users.known === KEPT && answer
  })
  expect(impact).toMatchObject({ exact: false, changed: { certain: KEPT, possible: 0 } })
  const { all } = impact.changed
  expect(all.estimate).toBe(impact.users.all.estimate)
  // Ten standard deviations of the estimate are one USERS.
  expect(all.estimate).toBeGreaterThan(USERS / 2)
  expect([all.low < all.estimate, all.estimate < all.high]).toEqual([true, true])
  const limited = { method: 'PATCH', path: `${path}/flags/root?max_changed_users=${KEPT}`, body: patch }
  const refused = await server.call(limited)
  expect([refused.status, refused.body.impact.changed.all]).toEqual([409, all])
})
