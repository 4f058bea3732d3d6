import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnectionCounts, startStreamCountReports } from '../../../src/serving/connections/index.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const LEGACY_KEY = 'legacy-key-of-the-tests'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { SDK_KEY: LEGACY_KEY } })
})
afterAll(() => server.close())

interface Place {
  readonly id: string
  readonly environments: readonly [{ readonly id: string }, { readonly id: string }, { readonly id: string }]
  readonly sdk_key: { readonly key: string }
}

let made = 0
let place: Place
beforeEach(async () => {
  made += 1
  place = (await server.call({ path: '/api/projects', body: { name: `Connected ${made}` } })).body
})

const production = () => place.environments[0].id

const connections = async (environment_id = production(), on = server, as: As = 'admin') =>
  (await on.call({ path: `/api/environments/${environment_id}/connections`, as })).body

const streamsOf = async (environment_id?: string, on?: TestServer) =>
  (await connections(environment_id, on)).streams

/** Opens a stream and waits for its bootstrap. */
async function open(key: string, on = server): Promise<TestStream> {
  const stream = await readStream(`${on.url}/stream`, { authorization: `Bearer ${key}` })
  await stream.until(({ event }) => event === 'ready')
  return stream
}

const newKey = async (kind: 'server' | 'client') => {
  const body = { name: kind, kind, environment_id: production() }
  return (await server.call({ path: `/api/projects/${place.id}/keys`, body })).body
}

const rowsOf = (environment_id: string) =>
  server.database.db
    .selectFrom('stream_counts')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .execute()

/** Inserts a row of an instance that has ended or has another name. */
const leaveRow = (streams: number, secondsOld: number) =>
  server.database.pool.query(
    `insert into stream_counts (instance_id, environment_id, streams, reported_at)
     values ($1, $2, $3, now() - make_interval(secs => $4))`,
    [randomUUID(), production(), streams, secondsOld],
  )

describe('GET /api/environments/{env_id}/connections', () => {
  it('connections are 0 at first', async () => {
    expect(await connections()).toEqual({ streams: 0, last_connected_at: null })
  })

  it('connections count open streams of SDK keys of either kind immediately, with the time of the latest one', async () => {
    const before = new Date().toISOString()
    const streams = [await open(place.sdk_key.key), await open((await newKey('client')).key)]
    const { last_connected_at, streams: count } = await connections()
    expect(count).toBe(2)
    expect(last_connected_at >= before && last_connected_at <= new Date().toISOString()).toBe(true)
    expect(await streamsOf(place.environments[1].id)).toBe(0)

    streams[0]?.close()
    await eventually(async () => (await streamsOf()) === 1)
    streams[1]?.close()
    await eventually(async () => (await streamsOf()) === 0)
    expect((await connections()).last_connected_at).toBe(last_connected_at)
  })

  it('connections do not include dashboards and polls', async () => {
    const dashboard = await readStream(`${server.url}/stream?environment_id=${production()}`, {
      cookie: server.cookie,
    })
    await dashboard.until(({ event }) => event === 'ready')
    await server.call({ path: '/flags/snapshot', as: { bearer: place.sdk_key.key } })
    expect(await connections()).toEqual({ streams: 0, last_connected_at: null })
    dashboard.close()
  })

  it('connections include streams of the legacy SDK_KEY', async () => {
    const stream = await open(LEGACY_KEY)
    expect(await streamsOf(server.environments.development)).toBe(1)
    stream.close()
    await eventually(async () => (await streamsOf(server.environments.development)) === 0)
  })

  it('connections do not include a stream whose key was revoked', async () => {
    const { id, key } = await newKey('server')
    const stream = await open(key)
    expect(await streamsOf()).toBe(1)
    await server.call({ method: 'DELETE', path: `/api/projects/${place.id}/keys/${id}` })
    await eventually(stream.ended)
    await eventually(async () => (await streamsOf()) === 0)
  })

  it('connections can be read by everyone who may read the environment', async () => {
    const status = async (as: As, environment_id = production()) =>
      (await server.call({ path: `/api/environments/${environment_id}/connections`, as })).status
    expect(await status({ bearer: place.sdk_key.key })).toBe(200)
    expect(await status({ bearer: place.sdk_key.key }, place.environments[1].id)).toBe(403)
    expect(await status({ bearer: (await newKey('client')).key })).toBe(403)
    expect(await status({ bearer: server.sdkKey })).toBe(403)
    expect(await status('anonymous')).toBe(401)
    expect(await status('admin', randomUUID())).toBe(404)
  })
})

describe('connections of several instances', () => {
  it('connections of several instances are summed up, without those that were closed', async () => {
    const other = await startTestServer({ database: server.database })
    const streams = [await open(place.sdk_key.key), await open(place.sdk_key.key, other)]
    const seen = () =>
      Promise.all([streamsOf(production(), server), streamsOf(production(), other)]).then(String)
    await eventually(async () => (await seen()) === '2,2')
    const times = await Promise.all([connections(production(), server), connections(production(), other)])
    expect(times[0]?.last_connected_at).toBe(times[1]?.last_connected_at)

    streams[1]?.close()
    await eventually(async () => (await seen()) === '1,1')
    streams[0]?.close()
    await eventually(async () => (await seen()) === '0,0')
    await other.close()
  })

  it('the counts of a stopped instance are removed; the time of the latest connection stays, also after a restart', async () => {
    const other = await startTestServer({ database: server.database })
    await open(place.sdk_key.key, other)
    await eventually(async () => (await streamsOf()) === 1)
    const { last_connected_at } = await connections()
    await other.close()
    expect(await rowsOf(production())).toEqual([])
    expect(await connections()).toEqual({ streams: 0, last_connected_at })
    const again = await startTestServer({ database: server.database })
    expect(await connections(production(), again)).toEqual({ streams: 0, last_connected_at })
    await again.close()
  })

  it('an instance that has been silent for 15 s does not count', async () => {
    await leaveRow(7, 16)
    expect(await streamsOf()).toBe(0)
    await leaveRow(3, 5)
    expect(await streamsOf()).toBe(3)
  })
})

describe('deleting an environment with open streams', () => {
  it('an environment that is deleted with open streams does not affect the counts of others', async () => {
    const doomed = await open(place.sdk_key.key)
    const staying = await open(server.sdkKey)
    await eventually(async () => (await rowsOf(production())).length === 1)
    const path = `/api/projects/${place.id}/environments/${production()}`
    await server.call({ method: 'DELETE', path })
    await eventually(doomed.ended)
    const second = await open(server.sdkKey)
    await eventually(async () => {
      const [row] = await rowsOf(server.environments.production)
      return row?.streams === 2
    })
    expect(await rowsOf(production())).toEqual([])
    for (const stream of [staying, second]) stream.close()
    expect(server.logged()).not.toContain('open streams could not be counted')
  })
})

describe('the reports of an instance', () => {
  it('unchanged counts are reported again, and those of dead instances removed', async () => {
    await leaveRow(7, 60)
    const stream = await open(place.sdk_key.key)
    const own = async () => (await rowsOf(production())).find(({ streams }) => streams === 1)
    const first = await eventually(own)
    await eventually(async () => (await own())?.reported_at !== first.reported_at)
    await eventually(async () => (await rowsOf(production())).every(({ streams }) => streams !== 7), 25_000)
    stream.close()
  })

  it('reports continue after the database was unavailable, with one log line', async () => {
    const database = await createTestDatabase()
    const lines: string[] = []
    const log = { ...silentLog(), warn: (_: unknown, line: string) => lines.push(line) }
    const project = { id: randomUUID(), name: 'P', slug: 'p' }
    await database.db.insertInto('projects').values(project).execute()
    const environment = { id: randomUUID(), project_id: project.id, name: 'E', slug: 'e', color: '#000' }
    await database.db.insertInto('environments').values(environment).execute()
    await database.pool.query('alter table stream_counts rename to away')
    const counted = { db: database.db, clock: { now: () => new Date() }, instance_id: randomUUID() }
    const counts = createConnectionCounts(counted)
    const reports = startStreamCountReports({ ...counts, log: log as never })
    counts.counts.opened(environment.id)
    await eventually(() => lines.length > 0)
    await database.pool.query('alter table away rename to stream_counts')
    const stored = () => database.db.selectFrom('stream_counts').select('streams').execute()
    expect(await eventually(async () => (await stored())[0])).toEqual({ streams: 1 })
    await reports.close()
    expect(await stored()).toEqual([])
    expect(lines).toEqual(['open streams could not be counted; retrying'])
    await database.drop()
  })
})
