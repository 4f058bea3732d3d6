import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants, createGunzip, type Gunzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const FLAGS = 500
/** More than one piece of 64 KiB, and a flag that is a piece by itself. */
const LARGE = 'x'.repeat(100_000)

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  const flags = Array.from({ length: FLAGS }, (_, nth) => ({
    key: `flag-${nth}`,
    is_enabled: true,
    description: nth === 7 ? LARGE : 'A small flag '.repeat(10),
  }))
  expect((await server.call({ path: `${environment}/apply`, body: { flags } })).status).toBe(200)
})
afterAll(() => server.close())

const GZIP = { 'x-burgee-stream': 'gzip' }
const toggle = (key: string, is_enabled: boolean) =>
  server.call({ method: 'PATCH', path: `${environment}/flags/${key}`, body: { is_enabled } })

async function createKey(kind: string): Promise<{ readonly id: number; readonly key: string }> {
  const body = { name: kind, environment_id: server.environments.production, kind }
  return (await server.call({ path: `/api/projects/${server.project.id}/keys`, body })).body
}

/** Reads texts to their end. `isWhole` is whether the response below had its last chunk. */
function readAll(texts: Readable, response?: IncomingMessage) {
  let text = ''
  texts.on('data', (piece: Buffer) => {
    text += piece
  })
  const end = finished(texts).then(
    () => ({ error: null, isWhole: response?.complete }),
    ({ message }: Error) => ({ error: message, isWhole: response?.complete }),
  )
  return { end, text: () => text }
}

/** Returns the bytes of a response as they are on the wire, until `isWhole`. */
async function readRaw(
  version: string,
  headers: string,
  isWhole: (text: string) => boolean,
): Promise<Buffer> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const pieces: Buffer[] = []
  socket.on('data', (bytes: Buffer) => pieces.push(bytes))
  socket.write(
    `GET /stream HTTP/${version}\r\nHost: burgee\r\nAuthorization: Bearer ${server.sdkKey}\r\n${headers}\r\n`,
  )
  await eventually(() => expect(isWhole(Buffer.concat(pieces).toString('latin1'))).toBe(true))
  socket.destroy()
  return Buffer.concat(pieces)
}

describe('a stream with X-Burgee-Stream: gzip', () => {
  it.each(['server', 'client', 'reader'])('a %s key receives the same events as without', async (kind) => {
    const authorization = `Bearer ${(await createKey(kind)).key}`
    const plain = await readStream(`${server.url}/stream`, { authorization })
    const gzip = await readStream(`${server.url}/stream`, { authorization, ...GZIP })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(gzip.headers.get('vary')).toBe('X-Burgee-Stream')
    for (const stream of [plain, gzip]) await stream.until(({ event }) => event === 'ready')
    expect(gzip.events).toEqual(plain.events)
    expect(gzip.events).toHaveLength(FLAGS + 2)
    const { body } = await toggle('flag-3', kind === 'server')
    for (const stream of [plain, gzip]) await stream.until(({ id }) => id === String(body.revision))
    expect(gzip.events.at(-1)).toEqual(plain.events.at(-1))
    for (const stream of [plain, gzip]) stream.close()
  })

  it('a change of more than 64 KiB arrives whole', async () => {
    const authorization = `Bearer ${server.sdkKey}`
    const stream = await readStream(`${server.url}/stream`, { authorization, ...GZIP })
    await stream.until(({ event }) => event === 'ready')
    const { body } = await toggle('flag-7', false)
    const { data } = await stream.until(({ id }) => id === String(body.revision))
    expect(data.flag).toMatchObject({ key: 'flag-7', is_enabled: false, description: LARGE })
    stream.close()
  })

  it('a personal token receives every environment of its user', async () => {
    const body = { name: 'stream', scope: 'read_only' }
    const { token } = (await server.call({ path: '/api/tokens', body })).body
    const authorization = `Bearer ${token}`
    const stream = await readStream(`${server.url}/stream`, { authorization, ...GZIP })
    await stream.until(({ event }) => event === 'ready')
    expect(stream.headers.get('content-encoding')).toBe('gzip')
    expect(stream.events.filter(({ event }) => event === 'update')).toHaveLength(FLAGS)
    await toggle('flag-9', false)
    await stream.until(({ data }) => data?.flag?.key === 'flag-9' && data.flag.is_enabled === false)
    stream.close()
  })

  it('event streams of OFREP are compressed as well', async () => {
    const authorization = `Bearer ${server.sdkKey}`
    const answer = await server.call({
      method: 'POST',
      path: '/ofrep/v1/evaluate/flags',
      headers: { authorization },
      body: { context: { targetingKey: 'ann' } },
    })
    const url = server.url + answer.body.eventStreams[0].endpoint.requestUri
    const stream = await readStream(url, GZIP)
    expect(stream.headers.get('content-encoding')).toBe('gzip')
    await toggle('flag-1', false)
    const notice = await stream.until(({ data }) => data?.type === 'refetchEvaluation')
    // Those who come back later receive the bytes of the same notice.
    for (const coding of [GZIP, {}]) {
      const later = await readStream(url, { ...coding, 'last-event-id': '1' })
      expect(await later.until(() => true)).toEqual(notice)
      later.close()
    }
    stream.close()
  })

  it('on the wire it is a gzip member in chunks, a small part of the plain bytes', async () => {
    const plain = await readRaw('1.1', '', (text) => text.includes('event: ready'))
    const headers = { authorization: `Bearer ${server.sdkKey}`, ...GZIP }
    const sent = request(`${server.url}/stream`, { headers }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    let bytes = 0
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    let text = ''
    answer.pipe(createGunzip()).on('data', (piece: Buffer) => {
      text += piece
    })
    await eventually(() => expect(text).toContain('event: ready'))
    sent.destroy()
    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' })
    expect(bytes).toBeLessThan(plain.length / 10)
  })

  it("its orderly end has no trailer: Node's fetch accepts it, zlib with Z_SYNC_FLUSH, and zlib otherwise not", async () => {
    const { id, key } = await createKey('server')
    const headers = { authorization: `Bearer ${key}`, ...GZIP }
    const open = async (decoder: Gunzip) => {
      const [answer] = (await once(request(`${server.url}/stream`, { headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      return readAll(answer.pipe(decoder), answer)
    }
    const fetched = await fetch(`${server.url}/stream`, { headers })
    const fetchedBody = Readable.fromWeb(fetched.body as ReadableStream<Uint8Array>)
    const streams = [
      readAll(fetchedBody),
      await open(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })),
      await open(createGunzip()),
    ]
    for (const { text } of streams) await eventually(() => expect(text()).toContain('event: ready'))
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/keys/${id}` })
    const ends = await Promise.all(streams.map(({ end }) => end))
    expect(ends).toEqual([
      { error: null, isWhole: undefined },
      { error: null, isWhole: true },
      { error: 'unexpected end of file', isWhole: true },
    ])
    const [first] = streams
    for (const { text } of streams) expect(text()).toBe(first?.text())
  })

  it.each([
    ['another value', '1.1', 'X-Burgee-Stream: br\r\n'],
    ['HTTP/1.0, which has no chunks', '1.0', 'X-Burgee-Stream: gzip\r\n'],
    ['Accept-Encoding alone', '1.1', 'Accept-Encoding: gzip\r\n'],
  ])('%s is a plain stream', async (_case, version, headers) => {
    const bytes = await readRaw(version, headers, (text) => text.includes('event: ready'))
    expect(bytes.toString('latin1')).not.toContain('Content-Encoding')
  })
})
