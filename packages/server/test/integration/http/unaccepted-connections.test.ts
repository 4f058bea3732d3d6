import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { openSocket, type RawSocket } from '../../harness/open-socket.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MAX = 20
const READY = /event: ready\ndata: \d+\n\n/
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const unfinished = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n${headers}\r\n{"a`

let server: TestServer
const opened: RawSocket[] = []

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

async function open(bytes = '', from?: string): Promise<RawSocket> {
  const socket = await openSocket(server.url, from)
  opened.push(socket)
  if (bytes !== '') socket.send(bytes)
  return socket
}

/** Opens connections one after another, so that the server has seen each before the next. */
async function openMany(count: number, bytes: string, from?: string): Promise<readonly RawSocket[]> {
  const sockets: RawSocket[] = []
  for (let at = 0; at < count; at += 1) {
    sockets.push(await open(bytes, from))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return sockets
}

const openOf = (sockets: readonly RawSocket[]) => sockets.filter((socket) => !socket.isClosed()).length

/** Requires that requests of an address are answered as if nothing had happened. */
async function expectServed(from: string): Promise<void> {
  for (let at = 0; at < 5; at += 1) {
    const asking = await open(get('/api/no-such-route', 'Connection: close\r\n'), from)
    await asking.closed
    expect(asking.text()).toMatch(/^HTTP\/1\.1 404 /)
  }
  const stream = await open(get('/stream', `Authorization: Bearer ${server.sdkKey}\r\n`), from)
  await stream.until(READY)
}

describe(`a limit of ${MAX} connections`, () => {
  beforeAll(async () => {
    server = await startTestServer({ env: { MAX_CONNECTIONS: String(MAX) } })
  })
  afterAll(() => server.close())

  it.each([
    ['unfinished bodies', unfinished('/api/auth/login')],
    ['unfinished bodies with an unknown key', unfinished('/sdk/ack', 'Authorization: Bearer sk_live_x\r\n')],
    ['unfinished heads', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['silent connections', ''],
  ])('one address holds at most half of them with %s, and others are served', async (_what, bytes) => {
    const held = await openMany(3 * MAX, bytes)
    await eventually(() => openOf(held) <= MAX / 2)
    await expectServed('127.0.0.2')
    // The oldest were closed, so the address itself is served as well.
    await expectServed('127.0.0.1')
  })

  it('unfinished bodies of several addresses are closed for newer connections', async () => {
    const held = await Promise.all(
      [3, 4, 5, 6].map((last) => openMany(MAX / 2, unfinished('/api/auth/login'), `127.0.0.${last}`)),
    )
    await eventually(() => openOf(held.flat()) <= MAX)
    await expectServed('127.0.0.2')
  })

  it('unfinished bodies with an accepted key are closed for newer connections', async () => {
    const headers = `Authorization: Bearer ${server.sdkKey}\r\n`
    await openMany(
      2 * MAX,
      unfinished(`/api/environments/${server.environments.production}/impressions`, headers),
    )
    await expectServed('127.0.0.2')
  })

  it('connections with an accepted credential may be more than half, and stay open', async () => {
    const streams: RawSocket[] = []
    for (let at = 0; at < MAX - 4; at += 1) {
      const stream = await open(get('/stream', `Authorization: Bearer ${server.sdkKey}\r\n`))
      await stream.until(READY)
      streams.push(stream)
    }
    const polling = await open(get('/flags/snapshot', `Authorization: Bearer ${server.sdkKey}\r\n`))
    await polling.until(/^HTTP\/1\.1 200 /)
    await openMany(3 * MAX, unfinished('/api/auth/login'))
    await expectServed('127.0.0.2')
    expect(openOf(streams)).toBe(MAX - 4)
  })

  it('a body that arrives steadily is read while older ones stand still', async () => {
    await openMany(MAX / 2 - 1, unfinished('/api/auth/login'))
    const steady = await open(unfinished('/api/auth/login'))
    await openMany(MAX / 2, unfinished('/api/auth/login'), '127.0.0.2')
    await openMany(MAX / 2 - 2, unfinished('/api/auth/login'), '127.0.0.3')
    steady.send('x'.repeat(997))
    await steady.until(/^HTTP\/1\.1 400 /)
  })
})

describe(`a limit of ${MAX} connections behind a proxy`, () => {
  beforeAll(async () => {
    server = await startTestServer({ env: { MAX_CONNECTIONS: String(MAX), TRUST_PROXY: '1' } })
  })
  afterAll(() => server.close())

  const of = (address: string) => `X-Forwarded-For: ${address}\r\n`

  it('a forwarded address has at most half of them in requests without an accepted credential', async () => {
    const held = await openMany(MAX / 2, unfinished('/api/auth/login', of('10.0.0.1')))
    const beyond = await open(unfinished('/api/auth/login', of('10.0.0.1')))
    await beyond.until(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/i)
    expect(openOf(held)).toBe(MAX / 2)
    const others = await open(get('/api/no-such-route', of('10.0.0.2')))
    await others.until(/^HTTP\/1\.1 404 /)
    const stream = await open(get('/stream', `Authorization: Bearer ${server.sdkKey}\r\n${of('10.0.0.3')}`))
    await stream.until(READY)
  })

  it('requests with an accepted credential do not count, and leave with their connection', async () => {
    const headers = (address: string) => `Authorization: Bearer ${server.sdkKey}\r\n${of(address)}`
    for (let at = 0; at < MAX / 2 + 2; at += 1) {
      const stream = await open(get('/stream', headers('10.0.0.4')))
      await stream.until(READY)
    }
    const asking = await open(get('/api/no-such-route', of('10.0.0.4')))
    await asking.until(/^HTTP\/1\.1 404 /)
    for (const each of opened.splice(0)) each.destroy()
    await eventually(async () => {
      const held = await openMany(MAX / 2, unfinished('/api/auth/login', of('10.0.0.4')))
      for (const each of held) each.destroy()
      return openOf(held) === MAX / 2 && held.every((each) => each.text() === '')
    })
  })

  it('unfinished bodies of many forwarded addresses are closed for newer connections', async () => {
    for (let at = 0; at < 3 * MAX; at += 1)
      await openMany(1, unfinished('/api/auth/login', of(`10.0.1.${at}`)))
    const asking = await open(get('/api/no-such-route', of('10.0.0.5')))
    await asking.until(/^HTTP\/1\.1 404 /)
  })
})
