import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSocket, type RawSocket } from '../../harness/open-socket.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const READY = /event: ready\ndata: \d+\n\n/
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
/** The number of flags, whose bootstrap exceeds what a socket takes at once. */
const LARGE_FLAGS = 24
const LARGE_DESCRIPTION = 'x'.repeat(900_000)

let server: TestServer
const opened: RawSocket[] = []

beforeAll(async () => {
  // At the level debug the fast responses are disabled.
  server = await startTestServer({ env: { LOG_LEVEL: 'info' } })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(() => server.close())

const open = async () => {
  const socket = await openSocket(server.url)
  opened.push(socket)
  return socket
}
const streamRequest = (key = server.sdkKey) =>
  `GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
const snapshotRequest = () =>
  `GET /flags/snapshot HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.sdkKey}\r\n\r\n`
const sessionStreamRequest = () => `GET /stream HTTP/1.1\r\nHost: x\r\nCookie: ${server.cookie}\r\n\r\n`
const patchRequest = (description: string) => {
  const body = JSON.stringify({ key: 'behind-a-stream', is_enabled: true, description })
  const path = `/api/environments/${server.environments.production}/flags`
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.sdkKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
/** Expects that another stream opens, and the process responds. */
const expectToServe = async () => {
  expect((await server.call({ path: '/health', as: 'anonymous' })).status).toBe(200)
  const other = await open()
  other.send(streamRequest())
  await other.until(READY)
}

/** The bytes that may follow the request of a stream. */
const FOLLOWERS: readonly (readonly [string, () => string])[] = [
  ['a whole request', () => HEALTH],
  ['two whole requests', () => HEALTH + HEALTH],
  ['another stream', () => streamRequest()],
  ['a quick snapshot', () => snapshotRequest()],
  ['a write', () => patchRequest('from behind')],
  ['a request without Host', () => 'GET /health HTTP/1.1\r\n\r\n'],
  ['a request of HTTP/1.0', () => 'GET /health HTTP/1.0\r\n\r\n'],
  ['half a request', () => 'GET /health HTTP/1.1\r\nHo'],
  ['a request with 100-continue', () => HEALTH.replace('Host', 'Expect: 100-continue\r\nHost')],
  ['a request with an unknown expectation', () => HEALTH.replace('Host', 'Expect: more\r\nHost')],
  ['an upgrade', () => HEALTH.replace('Host', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost')],
  ['CONNECT', () => 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['garbage', () => '\x16\x03\x01\x02garbage'],
  ['an empty line', () => '\r\n'],
  ['one byte', () => 'G'],
]

describe.each([
  ['an SDK key', () => streamRequest()],
  ['a session', () => sessionStreamRequest()],
])('further bytes on a stream of %s', (_who, request) => {
  it.each(FOLLOWERS)(
    'a stream is closed by %s after `ready`, without another response',
    async (_what, follower) => {
      const socket = await open()
      socket.send(request())
      await socket.until(READY)
      const before = socket.text()
      socket.send(follower())
      await socket.closed
      expect(socket.text()).toBe(before)
      await expectToServe()
    },
  )

  it.each(FOLLOWERS.filter(([what]) => !['an empty line', 'half a request', 'one byte'].includes(what)))(
    'a stream is closed or never opened by %s in the same packet',
    async (_what, follower) => {
      const socket = await open()
      socket.send(request() + follower())
      await socket.closed
      expect(socket.text()).not.toMatch(READY)
      await expectToServe()
    },
  )

  it.each(FOLLOWERS.filter(([what]) => ['half a request', 'one byte'].includes(what)))(
    'a stream that opens in spite of %s in the same packet is closed by the rest of it',
    async (_what, follower) => {
      const socket = await open()
      socket.send(request() + follower())
      await socket.until(READY)
      socket.send('st: x\r\n\r\n')
      await socket.closed
      expect(socket.text().match(/HTTP\/1\.1/g)).toHaveLength(1)
      await expectToServe()
    },
  )
})

describe('the connection of a stream', () => {
  it('a stream is closed by any bytes in separate packets', async () => {
    const socket = await open()
    socket.send(streamRequest())
    socket.send(HEALTH)
    socket.send(HEALTH)
    await socket.closed
    await expectToServe()
  })

  it('a stream opens after answered keep-alive requests', async () => {
    const socket = await open()
    for (let time = 1; time <= 3; time += 1) {
      socket.send(HEALTH)
      await socket.until(new RegExp(`(OK[\\s\\S]*){${time * 2}}`))
    }
    socket.send(streamRequest())
    await socket.until(READY)
    socket.send(HEALTH)
    await socket.closed
  })

  it.each([
    ['a request', () => HEALTH],
    ['a quick snapshot', () => snapshotRequest()],
    ['many of both', () => (HEALTH + snapshotRequest()).repeat(10)],
  ])('a stream waits for the response to %s before it in the same packet', async (_what, before) => {
    const socket = await open()
    socket.send(snapshotRequest())
    await socket.until(/HTTP\/1\.1 200/)
    socket.send(before() + streamRequest())
    await socket.until(READY)
    expect(socket.text()).toMatch(/^HTTP\/1\.1 200[\s\S]*event: connected\n/)
    socket.send(HEALTH)
    await socket.closed
    await expectToServe()
  })

  it('a stream that the server ends is complete', async () => {
    const key = await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: 'short-lived', environment_id: server.environments.production, kind: 'client' },
    })
    const socket = await open()
    socket.send(streamRequest(key.body.key))
    await socket.until(READY)
    await server.call({
      method: 'DELETE',
      path: `/api/projects/${server.project.id}/keys/${key.body.id}`,
    })
    await socket.closed
    expect(socket.text()).toMatch(/\r\n0\r\n\r\n$/)
  })

  it('a stream refused with 401 leaves its connection to the next request', async () => {
    const socket = await open()
    socket.send(streamRequest('sk_live_unknown') + HEALTH)
    await socket.until(/HTTP\/1\.1 401[\s\S]*HTTP\/1\.1 200[\s\S]*OK$/)
  })
})

describe('further bytes while a bootstrap is being written', () => {
  beforeAll(async () => {
    for (let at = 0; at < LARGE_FLAGS; at += 1) {
      const body = {
        key: `large-${at}`,
        is_enabled: true,
        flag_type: 'string',
        default_value: LARGE_DESCRIPTION,
        disabled_value: '',
      }
      const path = `/api/environments/${server.environments.staging}/flags`
      expect((await server.call({ path, body })).status).toBe(200)
    }
  })

  it.each(FOLLOWERS)('a stream is closed during its bootstrap by %s', async (_what, follower) => {
    const key = await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: 'staging', environment_id: server.environments.staging, kind: 'server' },
    })
    const socket = await open()
    socket.send(streamRequest(key.body.key))
    await socket.until(/event: connected/)
    socket.pause()
    socket.send(follower())
    socket.resume()
    await socket.closed
    expect(socket.text()).not.toMatch(READY)
    await expectToServe()
  })
})
