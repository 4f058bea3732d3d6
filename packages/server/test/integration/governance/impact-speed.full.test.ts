import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const USERS = 10_000
const DEPENDANTS = 20
const RUNS = process.env.BURGEE_FULL === '1' ? 100 : 5
/** The impressions of one request. */
const REPORTED = 500

let server: TestServer
let path: string
beforeAll(async () => {
  server = await startTestServer()
  path = `/api/environments/${server.environments.production}`
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  const root = { key: 'root', is_enabled: true, rollout_percentage: 0, rules }
  const dependants = Array.from({ length: DEPENDANTS }, (_, nth) => ({
    ...{ key: `dependant-${nth}`, is_enabled: true, rollout_percentage: 50 },
    prerequisites: [{ flag_key: 'root' }],
  }))
  await server.call({ path: `${path}/apply`, body: { flags: [root, ...dependants] } })
  for (let first = 0; first < USERS; first += REPORTED) {
    const body = Array.from({ length: REPORTED }, (_, nth) => ({
      ...{ flag_key: 'root', user_id: `user-${first + nth}`, value: 'true' },
      evaluated_at: new Date().toISOString(),
    }))
    await server.call({ path: `${path}/impressions`, body })
  }
})
afterAll(() => server?.close())

/** Seven of a hundred users have the plan. */
const users = Array.from({ length: USERS }, (_, nth) => ({
  user_key: `user-${nth}`,
  attributes: { plan: nth % 100 < 7 ? 'pro' : 'free' },
}))

it.each([
  ['known attributes, 7% move', { rules: [] }, users],
  ['known attributes, 43% move', { rules: [], rollout_percentage: 43 }, users],
  ['seen users without attributes', { rollout_percentage: 30 }, undefined],
  ['seen users without attributes, all may move', { is_enabled: false }, undefined],
] as const)('every user is counted: %s', async (name, patch, given) => {
  const changes = [{ flag_key: 'root', operation: 'patch', patch }]
  const impact = async () =>
    (await server.call({ path: `${path}/impact`, body: { changes, ...(given && { users: given }) } })).body
  await eventually(async () => (await impact()).users.known === USERS)
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const { took_ms, users: counted } = await impact()
    expect(counted.known).toBe(USERS)
    times.push(took_ms)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  process.stdout.write(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${times.at(-1)} ms\n`)
})
