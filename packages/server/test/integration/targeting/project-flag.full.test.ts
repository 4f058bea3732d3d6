import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const ENVIRONMENTS = 10
const FLAGS = 500
const USERS = 500
const READS = process.env.BURGEE_FULL === '1' ? 200 : 5

let server: TestServer
let project: string

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
  project = `/api/projects/${server.project.id}`
  const ids: string[] = Object.values(server.environments)
  while (ids.length < ENVIRONMENTS) {
    const made = await server.call({
      path: `${project}/environments`,
      body: { name: `Place ${ids.length}`, slug: `place-${ids.length}` },
    })
    expect(made.status).toBeLessThan(300)
    ids.push(made.body.id)
  }
  const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
  const flags = Array.from({ length: FLAGS }, (_, n) => ({ key: `flag-${n}`, is_enabled: true, rules }))
  for (const id of ids) {
    const env = `/api/environments/${id}`
    expect((await server.call({ path: `${env}/apply`, body: { flags } })).status).toBe(200)
    const body = Array.from({ length: USERS }, (_, n) => ({
      flag_key: `flag-${n % FLAGS}`,
      user_id: `user-${n}`,
      value: String(n % 2 === 0),
      evaluated_at: new Date().toISOString(),
    }))
    expect((await server.call({ path: `${env}/impressions`, body })).status).toBe(204)
  }
})
afterAll(() => server.close())

/** Returns the middle and the 99th percentile of the milliseconds of the reads. */
async function measure(path: (n: number) => string): Promise<string> {
  const times: number[] = []
  for (let n = 0; n < READS; n += 1) {
    const start = performance.now()
    expect((await server.call({ path: path(n) })).status).toBe(200)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${READS}`
}

describe('one flag in ten environments', () => {
  it('has a column for each environment', async () => {
    const { body } = await server.call({ path: `${project}/flags/flag-7` })
    expect(body.environments).toHaveLength(ENVIRONMENTS)
    for (const { flag } of body.environments) expect(flag.key).toBe('flag-7')
    process.stdout.write(`one flag: ${await measure((n) => `${project}/flags/flag-${n}`)}\n`)
  })
})
