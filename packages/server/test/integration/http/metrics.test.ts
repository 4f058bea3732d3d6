import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const METRICS_TOKEN = 'metrics-token-of-the-tests'
const DOCUMENT = new URL('../../../../../docs/operations.md', import.meta.url)

let server: TestServer
let second: TestServer
beforeAll(async () => {
  const env = { METRICS_TOKEN, LOG_LEVEL: 'error' }
  server = await startTestServer({ env })
  second = await startTestServer({ env, database: server.database })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

const scrape = async (from = server): Promise<string> =>
  (await from.call({ path: '/metrics', as: { bearer: METRICS_TOKEN } })).body

/** Returns the value of the sample with this name and these labels, in order; null when there is none. */
async function sample(name: string, labels: Record<string, string> = {}, from = server) {
  const line = (await scrape(from)).split('\n').find((each) => isSample(each, name, labels))
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ')))
}

function isSample(line: string, name: string, labels: Record<string, string>): boolean {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return (
    (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
    wanted.every((text) => line.includes(text))
  )
}

const requests = (method: string, endpoint: string, status: number, from = server) =>
  sample('burgee_http_request_duration_seconds_count', { method, endpoint, status: String(status) }, from)

const flagsPath = () => `/api/environments/${server.environments.production}/flags`

describe('GET /metrics', () => {
  it('/metrics serves Prometheus text to the bearer of METRICS_TOKEN', async () => {
    const answer = await server.call({ path: '/metrics', as: { bearer: METRICS_TOKEN } })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatch(/^# HELP burgee_/m)
  })

  it.each([
    ['an anonymous caller', 'anonymous'],
    ['a session', 'admin'],
    ['another bearer', { bearer: `${METRICS_TOKEN}x` }],
  ] as const)('/metrics is 401 for %s', async (_who, as) => {
    expect((await server.call({ path: '/metrics', as })).status).toBe(401)
  })

  it('/metrics is 401 for an SDK key, which is admin-equivalent elsewhere', async () => {
    expect((await server.call({ path: '/metrics', as: { bearer: server.sdkKey } })).status).toBe(401)
  })

  it('/metrics is 404 for every caller while METRICS_TOKEN is unset', async () => {
    const unset = await startTestServer({ database: server.database, env: { LOG_LEVEL: 'error' } })
    const statuses = []
    for (const as of ['anonymous', 'admin', { bearer: METRICS_TOKEN }] as const) {
      statuses.push((await unset.call({ path: '/metrics', as })).status)
    }
    await unset.close()
    expect(statuses).toEqual([404, 404, 404])
  })

  it('/metrics has exactly the metrics of the operations page', async () => {
    const served = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    )
    const page = readFileSync(DOCUMENT, 'utf8')
    const described = [...page.matchAll(/^\| `(burgee_\w+)` \| (\w+),/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    )

    expect(described.sort()).toEqual(served.sort())
    // Roles of the database have names like metrics.
    const suggested = [...page.matchAll(/burgee_(?!app\b|owner\b)\w+/g)].map(([name]) =>
      name.replace(/_(count|bucket|sum)$/, ''),
    )
    const names = served.map((line) => line.split(' ')[0])
    expect(suggested.filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('the metric of request durations', () => {
  it('durations have the path of the contract as label, never what a caller sent', async () => {
    const before = (await requests('GET', '/api/environments/:env_id/flags', 200)) ?? 0
    await server.call({ path: `${flagsPath()}?q=needle-of-the-query` })

    await eventually(
      async () => (await requests('GET', '/api/environments/:env_id/flags', 200)) === before + 1,
    )
    const text = await scrape()
    expect(text).not.toContain('needle-of-the-query')
    expect(text).not.toContain(`endpoint="/api/environments/${server.environments.production}`)
  })

  it('durations of unknown paths and methods have one label', async () => {
    for (const path of ['/api/nothing-one', '/nothing-two', '/%zz-nothing-three', '/flags/nothing/four']) {
      await server.call({ path })
    }
    await server.call({ method: 'DELETE', path: '/health' })

    await eventually(async () => {
      const found = (await requests('GET', 'unknown', 404)) ?? 0
      return found >= 4 && (await requests('DELETE', 'unknown', 405)) === 1
    })
    expect(await scrape()).not.toContain('nothing')
  })

  it('durations of refused requests have their status', async () => {
    await server.call({ path: '/api/users', as: 'anonymous' })
    await eventually(async () => ((await requests('GET', '/api/users', 401)) ?? 0) >= 1)
  })

  it('durations include snapshots that are answered from memory', async () => {
    const as = { bearer: server.sdkKey }
    const count = async () => (await requests('GET', '/flags/snapshot', 200)) ?? 0
    await server.call({ path: '/flags/snapshot', as, headers: { 'accept-encoding': 'identity' } })
    const before = await eventually(count)
    await server.call({ path: '/flags/snapshot', as, headers: { 'accept-encoding': 'identity' } })

    await eventually(async () => (await count()) === before + 1)
  })

  it('the duration of a stream is recorded once, when it is open', async () => {
    const count = async () => (await requests('GET', '/stream', 200)) ?? 0
    const before = await count()
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
    await stream.until(({ event }) => event === 'ready')

    await eventually(async () => (await count()) === before + 1)
    stream.close()
    await eventually(async () => (await sample('burgee_connected_streams')) === null)
    expect(await count()).toBe(before + 1)
    expect(await requests('GET', '/stream', 499)).toBeNull()
  })
})

describe('the metrics of streams', () => {
  it('open streams are counted by environment and reader', async () => {
    const environment_id = server.environments.production
    const open = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
    const dashboard = await readStream(`${server.url}/stream`, { cookie: server.cookie })
    await open.until(({ event }) => event === 'ready')
    await dashboard.until(({ event }) => event === 'ready')

    expect(await sample('burgee_connected_streams', { environment_id, audience: 'server' })).toBe(1)
    expect(await sample('burgee_connected_streams', { environment_id, audience: 'session' })).toBe(1)
    open.close()
    dashboard.close()
    await eventually(async () => (await sample('burgee_connected_streams', { environment_id })) === null)
  })

  it('the time from the commit to the streams is measured, for own changes and those of others', async () => {
    const count = async (source: string, from: TestServer) =>
      (await sample('burgee_propagation_seconds_count', { source }, from)) ?? 0
    const streams = await Promise.all(
      [server, second].map(({ url }) =>
        readStream(`${url}/stream`, { authorization: `Bearer ${server.sdkKey}` }),
      ),
    )
    for (const stream of streams) await stream.until(({ event }) => event === 'ready')
    const before = { own: await count('own_write', server), other: await count('change_log', second) }

    await server.call({ path: flagsPath(), body: { key: 'measured', is_enabled: true } })

    for (const stream of streams) await stream.until(({ data }) => data?.flag?.key === 'measured')
    await eventually(async () => (await count('own_write', server)) === before.own + 1)
    await eventually(async () => (await count('change_log', second)) === before.other + 1)
    for (const stream of streams) stream.close()
  })
})

describe('the metrics of an instance', () => {
  it('an instance reports that it has read the change log to its end', async () => {
    expect(await sample('burgee_change_log_confirmed_age_seconds')).toBeGreaterThanOrEqual(0)
    await eventually(async () => (await sample('burgee_change_log_revisions_behind')) === 0)
  })

  it('an instance reports how many events wait', async () => {
    await eventually(async () => (await sample('burgee_job_queue_depth', { queue: 'domain_events' })) === 0)
    // The holder of this lock is the only one that fans out events: for a while nothing does.
    const holder = await server.database.pool.connect()
    await holder.query('select pg_advisory_lock(7362100)')
    try {
      await holder.query(
        `insert into domain_events (project_id, environment_id, type, data, created_at)
         select $1, $2, 'flag.created', '{}', now() from generate_series(1, 3)`,
        [server.project.id, server.environments.production],
      )
      expect(await sample('burgee_job_queue_depth', { queue: 'domain_events' })).toBe(3)
    } finally {
      await holder.query('select pg_advisory_unlock(7362100)')
      holder.release()
    }
    await eventually(async () => (await sample('burgee_job_queue_depth', { queue: 'domain_events' })) === 0)
  })

  it('an instance reports how many deliveries wait', async () => {
    expect(await sample('burgee_job_queue_depth', { queue: 'deliveries' })).toBe(0)
  })

  it('an instance reports its pool of database connections', async () => {
    const idle = await sample('burgee_database_connections', { state: 'idle' })
    const in_use = await sample('burgee_database_connections', { state: 'in_use' })
    const max = await sample('burgee_database_connections_max')

    expect(max).toBe(10)
    expect((idle ?? 0) + (in_use ?? 0)).toBeGreaterThan(0)
    expect((idle ?? 0) + (in_use ?? 0)).toBeLessThanOrEqual(10)
    expect(await sample('burgee_database_connections_awaited')).toBe(0)
  })

  it('an instance reports its memory, its processor time and the delay of its event loop', async () => {
    expect(await sample('burgee_process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(await sample('burgee_process_heap_used_bytes')).toBeGreaterThan(1e6)
    expect(await sample('burgee_process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await sample('burgee_process_start_time_seconds')).toBeLessThanOrEqual(Date.now() / 1000)
    expect(await sample('burgee_event_loop_delay_seconds', { quantile: '0.99' })).toBeGreaterThanOrEqual(0)
    expect(await sample('burgee_ingest_rows_total', { kind: 'impression' })).toBe(0)
  })
})
