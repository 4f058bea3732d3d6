import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const LARGE_FLAGS = 6
const SMALL_FLAGS = 400

let server: TestServer
let flags: string

beforeAll(async () => {
  server = await startTestServer()
  flags = `/api/environments/${server.environments.production}/flags`
  for (let nth = 0; nth < LARGE_FLAGS; nth += 1) {
    // Two large flags beside each other, and small ones between the others.
    const key = nth < 2 ? `a-${nth}` : `s-${nth * 60}-large`
    const body = { key, is_enabled: true, flag_type: 'string', description: 'ö'.repeat(100_000) }
    const created = await server.call({ path: flags, body: { ...body, default_value: 'x'.repeat(300_000) } })
    expect(created.status).toBe(200)
  }
  const small = Array.from({ length: SMALL_FLAGS }, (_, nth) => ({
    key: `s-${nth}`,
    is_enabled: true,
    description: 'A small flag '.repeat(20),
  }))
  const environment = `/api/environments/${server.environments.production}`
  expect((await server.call({ path: `${environment}/apply`, body: { flags: small } })).status).toBe(200)
})
afterAll(() => server.close())

const withKey = (key = server.sdkKey) => ({ authorization: `Bearer ${key}` })
const toggle = (key: string, is_enabled: boolean) =>
  server.call({ method: 'PATCH', path: `${flags}/${key}`, body: { is_enabled } })

async function createClientKey(): Promise<string> {
  const environment_id = server.environments.production
  const path = `/api/projects/${server.project.id}/keys`
  return (await server.call({ path, body: { name: 'Browser', environment_id, kind: 'client' } })).body.key
}

interface Raw {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly bytes: Buffer
}

const readSnapshot = (headers: Record<string, string>, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(`${server.url}/flags/snapshot`, { method, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const { headers, statusCode: status } = answer
        resolve({ status, headers, bytes: Buffer.concat(pieces) })
      })
    })
    sent.on('error', reject).end()
  })

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

describe('a snapshot of several megabytes', () => {
  it('is sent in pieces with its length, and its ETag is the hash of its bytes', async () => {
    for (const key of [server.sdkKey, await createClientKey()]) {
      const { bytes, headers, status } = await readSnapshot(withKey(key))
      expect(status).toBe(200)
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(headers['transfer-encoding']).toBeUndefined()
      expect(headers.etag).toBe(etagOf(bytes))
      const keys = JSON.parse(String(bytes)).map((flag: { key: string }) => flag.key)
      expect(keys).toHaveLength(LARGE_FLAGS + SMALL_FLAGS)
      expect(keys).toEqual([...keys].sort())
    }
  })

  it('has the same bytes when it is compressed, and no body while the copy of its client is current', async () => {
    const plain = await readSnapshot(withKey())
    const packed = await readSnapshot({ ...withKey(), 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: plain.headers.etag })
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    const again = await readSnapshot({ ...withKey(), 'if-none-match': String(plain.headers.etag) })
    expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    const head = await readSnapshot(withKey(), 'HEAD')
    expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect(head.headers['content-length']).toBe(String(plain.bytes.length))
  })

  it('has a change from the response to its write on, for all who ask at the same time', async () => {
    for (const is_enabled of [false, true, false]) {
      const running = readSnapshot(withKey())
      const { body } = await toggle('s-7', is_enabled)
      const answers = await Promise.all([readSnapshot(withKey()), readSnapshot(withKey()), running])
      for (const { bytes } of answers.slice(0, 2)) {
        const listed = JSON.parse(String(bytes)).find((flag: { key: string }) => flag.key === 's-7')
        expect(listed).toMatchObject({ is_enabled, revision: body.revision })
      }
      expect(answers.map(({ bytes, headers }) => headers.etag === etagOf(bytes))).toEqual([true, true, true])
    }
  })
})

/** Opens a stream over plain HTTP of a version, without reading it. */
async function openRaw(version: '1.0' | '1.1', key: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.pause()
  await once(socket, 'connect')
  socket.write(`GET /stream HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  return socket
}

/** Reads a socket until a text has arrived. */
async function readUntil(socket: Socket, text: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let last = ''
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    last = (last + piece.toString('latin1')).slice(-20_000_000)
  })
  socket.resume()
  await eventually(() => expect(last.includes(text)).toBe(true))
  socket.destroy()
  return Buffer.concat(pieces)
}

/** Returns the body of a chunked response, as far as its chunks are whole. */
function withoutChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    expect(size).toBeGreaterThan(0)
    expect(bytes.toString('latin1', end + 2 + size, end + 4 + size)).toBe('\r\n')
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
  return Buffer.concat(parts)
}

describe('a stream of several megabytes', () => {
  it('has each flag of the snapshot once, in its order, with the revision', async () => {
    for (const key of [server.sdkKey, await createClientKey()]) {
      const snapshot = JSON.parse(String((await readSnapshot(withKey(key))).bytes))
      const stream = await readStream(`${server.url}/stream`, withKey(key))
      await stream.until(({ event }) => event === 'ready')
      const sent = stream.events.filter(({ event }) => event === 'update')
      expect(sent.map(({ data }) => data.flag)).toEqual(snapshot)
      expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
      expect(stream.events.at(-1)?.data).toBe(String(snapshot.length))
      stream.close()
    }
  })

  it('has the same bytes in chunks and without them', async () => {
    const ready = `event: ready\ndata: ${LARGE_FLAGS + SMALL_FLAGS}\n\n`
    const plain = await readUntil(await openRaw('1.0', server.sdkKey), ready)
    const chunked = await readUntil(await openRaw('1.1', server.sdkKey), ready)
    const body = plain.subarray(plain.indexOf('\r\n\r\n') + 4)
    expect(withoutChunks(chunked).equals(body)).toBe(true)
  })

  it('has the flags of the revision at which it was opened, and then the changes, however late it is read', async () => {
    const socket = await openRaw('1.1', server.sdkKey)
    const before = (await server.call({ path: `${flags}/s-399` })).body
    const path = `/api/environments/${server.environments.production}/connections`
    await eventually(async () => expect((await server.call({ path })).body.streams).toBeGreaterThan(0))
    const changed = (await toggle('s-399', !before.is_enabled)).body
    const text = withoutChunks(await readUntil(socket, `"revision":${changed.revision}`)).toString()
    const states = [...text.matchAll(/"key":"s-399",.*?"revision":(\d+)/g)].map(([, revision]) =>
      Number(revision),
    )
    expect(states.at(-1)).toBe(changed.revision)
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })
})
