import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { openSocket } from '../../harness/open-socket.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const LATE = /^HTTP\/1\.1 408 [\s\S]*\{"error":"The request did not arrive in time\. [^"]+"\}$/
const LARGE = 'x'.repeat(900_000)
const LARGE_FLAGS = 12

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { REQUEST_TIMEOUT_SECONDS: '1', LOG_LEVEL: 'info' } })
})
afterAll(() => server.close())

const head = (lines: string) => `${lines}\r\nHost: x\r\nAuthorization: Bearer ${server.sdkKey}\r\n`
const flagsPath = () => `/api/environments/${server.environments.production}/flags`

async function send(bytes: string) {
  const socket = await openSocket(server.url)
  socket.send(bytes)
  return socket
}

describe('timeouts of connections', () => {
  it.each([
    ['that never sends a byte', () => ''],
    ['with half a head', () => 'GET /health HTTP/1.1\r\nHost: x\r\n'],
    [
      'with half a body',
      () =>
        `${head(`POST ${flagsPath()} HTTP/1.1`)}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
    [
      'with half of a chunked body',
      () =>
        `${head(`POST ${flagsPath()} HTTP/1.1`)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    ],
  ])('a connection %s gets 408 and is closed', async (_what, bytes) => {
    const socket = await send(bytes())
    await socket.closed
    expect(socket.text()).toMatch(LATE)
  })

  it('a connection that sends its body byte by byte gets 408 and is closed', async () => {
    const lines = head(`POST ${flagsPath()} HTTP/1.1`)
    const socket = await send(`${lines}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`)
    const timer = setInterval(() => socket.send(' '), 50)
    await socket.closed
    clearInterval(timer)
    expect(socket.text()).toMatch(LATE)
  })

  it('an incomplete request with a response is closed without a second response', async () => {
    const socket = await send('POST /api/setup HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    await socket.closed
    expect(socket.text().match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(socket.text()).toMatch(/^HTTP\/1\.1 4\d\d/)
  })

  it('a stream stays open beyond the timeouts', async () => {
    const stream = await send(`${head('GET /stream HTTP/1.1')}\r\n`)
    const slow = await send('GET /health HTTP/1.1\r\n')
    await stream.until(/event: ready/)
    await slow.closed
    const sample = await server.call({ path: flagsPath(), body: { key: 'late', is_enabled: true } })
    expect(sample.status).toBe(200)
    await stream.until(/"key":"late"/)
    expect(stream.isClosed()).toBe(false)
    stream.destroy()
  })

  it('a connection whose caller never reads a large response is closed', async () => {
    for (let at = 0; at < LARGE_FLAGS; at += 1) {
      const body = {
        key: `large-${at}`,
        is_enabled: true,
        flag_type: 'string',
        default_value: LARGE,
        disabled_value: '',
      }
      const path = `/api/environments/${server.environments.staging}/flags`
      expect((await server.call({ path, body })).status).toBe(200)
    }
    const path = `/api/environments/${server.environments.staging}/flags`
    const socket = await openSocket(server.url)
    socket.pause()
    const lines = `GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${server.cookie}\r\n\r\n`
    socket.send(lines)
    await eventually(() => /"route":"[^"]*flags"[^\n]*"status":499/.test(server.logged()), 20_000)
    socket.destroy()
  })
})

describe('bytes that are not HTTP', () => {
  it('bytes that are not HTTP get one response, and their connection is closed soon although the caller stays', async () => {
    const socket = await send('no HTTP at all\r\n\r\nand more\r\n\r\n')
    await socket.closed
    expect(socket.text()).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"error":"The request could not be read as HTTP\."\}$/,
    )
  })

  it('bytes that are not HTTP get their response after those to earlier requests', async () => {
    const flags = `${head(`GET ${flagsPath()} HTTP/1.1`)}\r\n`
    const socket = await send(`${flags}GET /health HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n`)
    await socket.closed
    expect(socket.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('an invalid body gets its response after those to earlier requests', async () => {
    const flags = `${head(`GET ${flagsPath()} HTTP/1.1`)}\r\n`
    const body = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    const socket = await send(`${flags}${flags}${head(`POST ${flagsPath()} HTTP/1.1`)}${body}`)
    await socket.closed
    expect(socket.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('invalid bytes are distinguished from headers that are too large', async () => {
    const socket = await send(`GET /health HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`)
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 431 [\s\S]*16 KiB/)
  })
})

describe('invalid requests', () => {
  it.each([
    ['without Host', '', 'no Host header'],
    ['with two Host headers', 'Host: a\r\nHost: b\r\n', 'more than one Host header'],
    ['with the same Host twice', 'Host: a\r\nHost: a\r\n', 'more than one Host header'],
    ['with an invalid Host', 'Host: a/b\r\n', 'not a host name'],
  ])('a request %s gets 400, and its connection is closed', async (_what, lines, problem) => {
    for (const path of ['/health', '/flags/snapshot', '/stream', '/']) {
      const authorization = `Authorization: Bearer ${server.sdkKey}\r\n`
      const socket = await send(`GET ${path} HTTP/1.1\r\n${lines}${authorization}\r\n`)
      await socket.closed
      expect(socket.text()).toMatch(/^HTTP\/1\.1 400 /)
      expect(socket.text()).toContain(problem)
    }
  })

  it('a request for another protocol gets an ordinary response, and its connection is closed', async () => {
    const upgrade = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
    const socket = await send(upgrade + upgrade)
    await socket.closed
    expect(socket.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })

  it('a request of HTTP/1.0 needs no Host', async () => {
    const socket = await send('GET /health HTTP/1.0\r\n\r\n')
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*OK$/)
  })

  it('a request with an expectation other than 100-continue gets 417 with an explanation', async () => {
    const socket = await send('GET /health HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n')
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 417 [\s\S]*\{"error":"[^"]+"\}$/)
  })
})
