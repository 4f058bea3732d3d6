import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSocket } from '../../harness/open-socket.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MIB = 1024 * 1024
const JSON_TYPE = 'application/json'
const LARGE_FLAG = JSON.stringify({ key: 'large', is_enabled: true, description: 'd'.repeat(100_000) })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Sending {
  readonly method?: string
  readonly inChunks: boolean
  readonly type?: string
}

/** Builds a request with a body in one piece, with its length declared or in chunks. */
function requestWith(path: string, body: string, { inChunks, method = 'POST', type = JSON_TYPE }: Sending) {
  const framing = inChunks
    ? `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    : `Content-Length: ${body.length}\r\n\r\n${body}`
  const headers = `Host: x\r\nAuthorization: Bearer ${server.sdkKey}\r\nContent-Type: ${type}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${headers}${framing}`
}

const NEXT = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

it.each([
  ['is no JSON', '{', JSON_TYPE],
  ['has another media type', '{}', 'text/plain'],
  ['has no media type', '{}', ''],
])('the connection of a short body that %s stays open', async (_, body, type) => {
  for (const inChunks of [false, true]) {
    const socket = await openSocket(server.url)
    const path = `/api/environments/${server.environments.production}/flags`
    socket.send(requestWith(path, body, { inChunks, type }) + NEXT)
    await socket.until(/^HTTP\/1\.1 4\d\d [\s\S]*\r\n\r\nOK/)
    socket.send(NEXT)
    await socket.until(/\r\n\r\nOK[\s\S]*\r\n\r\nOK/)
    socket.destroy()
  }
})

it.each(['Upgrade: h2c', 'Connection: close'])(
  'a refused request with "%s" says that its connection ends',
  async (header) => {
    const socket = await openSocket(server.url)
    const path = `/api/environments/${server.environments.production}/flags`
    socket.send(requestWith(path, '{', { inChunks: false }).replace('Host: x', `Host: x\r\n${header}`))
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*\r\nconnection: close\r\n/i)
  },
)

it.each([
  ['is too large for the API', '/flags', ' '.repeat(2 * MIB), JSON_TYPE],
  ['is too large for reports', '/events', ' '.repeat(17 * MIB), JSON_TYPE],
  ['is no JSON', '/flags', 'x'.repeat(100_000), JSON_TYPE],
  ['has another media type', '/flags', '{}'.repeat(50_000), 'text/plain'],
  ['has too many fields', '/flags', `{${'"a":0,'.repeat(60_000)}"b":0}`, JSON_TYPE],
  ['does not fit', '/flags', JSON.stringify({ key: 'k'.repeat(100_000) }), JSON_TYPE],
  ['goes to an unknown route', '/nothing', 'x'.repeat(100_000), JSON_TYPE],
])('the connection of a body that %s is closed or answers the next request', async (_, path, body, type) => {
  for (const inChunks of [false, true]) {
    const socket = await openSocket(server.url)
    socket.send(
      requestWith(`/api/environments/${server.environments.production}${path}`, body, { inChunks, type }),
    )
    await Promise.race([socket.until(/^HTTP\/1\.1 4\d\d /), socket.closed])
    socket.send(NEXT)
    await Promise.race([socket.until(/\r\n\r\nOK/), socket.closed])
    socket.destroy()
  }
})

it.each(['GET', 'HEAD'])(
  'a body that a %s has is skipped, and the next request gets its response',
  async (method) => {
    for (const inChunks of [false, true]) {
      const socket = await openSocket(server.url)
      const flags = `/api/environments/${server.environments.production}/flags`
      socket.send(requestWith(flags, ' '.repeat(MIB), { inChunks, method }))
      await socket.until(/^HTTP\/1\.1 200 /)
      socket.send(NEXT)
      await socket.until(/\r\n\r\nOK/)
      socket.destroy()
    }
  },
)

it('a request whose connection ends within its body affects nothing else', async () => {
  const flags = `/api/environments/${server.environments.production}/flags`
  for (const method of ['GET', 'POST'])
    for (const inChunks of [false, true])
      for (let turns = 0; turns < 40; turns += 1) {
        const request = requestWith(flags, LARGE_FLAG, { inChunks, method })
        const socket = await openSocket(server.url)
        socket.send(turns % 2 === 0 ? request : request.slice(0, request.length / 2))
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
        socket.destroy()
        await socket.closed
      }
  // Neither the places for large bodies nor the memory for bodies are used up.
  const next = await openSocket(server.url)
  next.send(requestWith(flags, LARGE_FLAG, { inChunks: false }))
  await next.until(/^HTTP\/1\.1 200 /)
  next.destroy()
})
