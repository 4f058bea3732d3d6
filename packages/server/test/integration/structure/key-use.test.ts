import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MINUTE_MS = 60_000

const clock = createManualClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

interface Key {
  readonly id: number
  readonly key: string
}
let reader: Key
beforeEach(async () => {
  const body = { name: 'Shop', kind: 'reader', environment_id: server.environments.production }
  reader = (await server.call({ path: `/api/projects/${server.project.id}/keys`, body })).body
})

const listed = async ({ id }: Key, on = server) => {
  const { body } = await on.call({ path: `/api/projects/${server.project.id}/keys` })
  return body.find((each: Key) => each.id === id)
}
const single = async ({ id }: Key) =>
  (await server.call({ path: `/api/projects/${server.project.id}/keys/${id}` })).body

const poll = (key: string) => server.call({ path: '/flags/snapshot', as: { bearer: key } })

async function open({ key }: Key, on = server): Promise<TestStream> {
  const stream = await readStream(`${on.url}/stream`, { authorization: `Bearer ${key}` })
  await stream.until(({ event }) => event === 'ready')
  return stream
}

/** Returns the transaction that wrote the row of a key last, which is another one after each update. */
const writerOf = async ({ id }: Key): Promise<string> => {
  const { rows } = await server.database.pool.query('select xmin::text from sdk_keys where id = $1', [id])
  return rows[0].xmin
}

describe('the last use of an SDK key', () => {
  it('is null before the first use, and then the time of a request', async () => {
    expect(await listed(reader)).toMatchObject({ last_used_at: null, streams: 0 })
    expect((await poll(reader.key)).status).toBe(200)
    expect((await listed(reader)).last_used_at).toBe(clock.now().toISOString())
    expect(await single(reader)).toEqual(await listed(reader))
  })

  it('is stored once a minute, however many requests there are', async () => {
    for (let request = 0; request < 20; request += 1) await poll(reader.key)
    const first = clock.now().toISOString()
    expect((await listed(reader)).last_used_at).toBe(first)
    const writer = await writerOf(reader)
    clock.advance(MINUTE_MS - 1)
    for (let request = 0; request < 20; request += 1) await poll(reader.key)
    expect((await listed(reader)).last_used_at).toBe(first)
    expect(await writerOf(reader)).toBe(writer)
    clock.advance(1)
    await poll(reader.key)
    expect((await listed(reader)).last_used_at).toBe(clock.now().toISOString())
    expect(await writerOf(reader)).not.toBe(writer)
  })

  it('is not stored again by another instance within the minute', async () => {
    const other = await startTestServer({ database: server.database, clock })
    await poll(reader.key)
    await listed(reader)
    const writer = await writerOf(reader)
    await other.call({ path: '/flags/snapshot', as: { bearer: reader.key } })
    expect((await listed(reader, other)).last_used_at).toBe(clock.now().toISOString())
    expect(await writerOf(reader)).toBe(writer)
    await other.close()
  })

  it('is stored later, with the time of the use, when the database could not store it', async () => {
    const { pool } = server.database
    await pool.query(
      `create function refuse_use() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
       create trigger refuse_use before update of last_used_at on sdk_keys for each row execute function refuse_use()`,
    )
    await poll(reader.key)
    const used = clock.now().toISOString()
    expect((await listed(reader)).last_used_at).toBeNull()
    await pool.query('drop function refuse_use cascade')
    clock.advance(MINUTE_MS / 2)
    expect((await listed(reader)).last_used_at).toBe(used)
  })

  it('is not that of a key with another value, nor of a revoked one', async () => {
    expect((await poll(`${reader.key}x`)).status).toBe(401)
    expect((await listed(reader)).last_used_at).toBeNull()
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/keys/${reader.id}` })
    await eventually(async () => (await poll(reader.key)).status === 401)
    expect(await listed(reader)).toBeUndefined()
  })

  it('is the end of a stream', async () => {
    const stream = await open(reader)
    clock.advance(10 * MINUTE_MS)
    stream.close()
    await eventually(async () => (await listed(reader)).last_used_at === clock.now().toISOString())
  })
})

describe('the streams of an SDK key', () => {
  const streamsOf = async (key: Key, on = server) => (await listed(key, on)).streams

  it('are counted for each key, at once on their own instance', async () => {
    const streams = [await open(reader), await open(reader)]
    expect(await streamsOf(reader)).toBe(2)
    const { body } = await server.call({ path: `/api/projects/${server.project.id}/keys` })
    expect(body.filter((key: { streams: number }) => key.streams > 0)).toHaveLength(1)
    for (const stream of streams) stream.close()
    await eventually(async () => (await streamsOf(reader)) === 0)
  })

  it('are summed up over all instances, without those that ended or stopped', async () => {
    const other = await startTestServer({ database: server.database, clock })
    const streams = [await open(reader), await open(reader, other)]
    const seen = async () => `${await streamsOf(reader)},${await streamsOf(reader, other)}`
    await eventually(async () => (await seen()) === '2,2')
    streams[0]?.close()
    await eventually(async () => (await seen()) === '1,1')
    await other.close()
    expect(await streamsOf(reader)).toBe(0)
  })

  it('of an instance that has been silent for 15 s do not count', async () => {
    const leaveRow = (streams: number, secondsOld: number) =>
      server.database.pool.query(
        `insert into key_stream_counts (instance_id, key_id, streams, reported_at)
         values (gen_random_uuid(), $1, $2, now() - make_interval(secs => $3))`,
        [reader.id, streams, secondsOld],
      )
    await leaveRow(7, 16)
    expect(await streamsOf(reader)).toBe(0)
    await leaveRow(3, 5)
    expect(await streamsOf(reader)).toBe(3)
  })

  it('end when the key is revoked, and leave no row', async () => {
    const stream = await open(reader)
    const rows = async () =>
      (
        await server.database.db
          .selectFrom('key_stream_counts')
          .select('streams')
          .where('key_id', '=', reader.id)
          .execute()
      ).map(({ streams }) => streams)
    await eventually(async () => (await rows()).includes(1))
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/keys/${reader.id}` })
    await eventually(stream.ended)
    expect(await rows()).toEqual([])
  })
})
