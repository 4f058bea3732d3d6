import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { openSocket, type RawSocket } from '../../harness/open-socket.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const READY = /event: ready\ndata: \d+\n\n/
const METRICS_TOKEN = 'metrics-token-of-the-test'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

let server: TestServer
const opened: RawSocket[] = []

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
})

async function open(bytes = ''): Promise<RawSocket> {
  const socket = await openSocket(server.url)
  opened.push(socket)
  if (bytes !== '') socket.send(bytes)
  return socket
}

async function openStream(key = server.sdkKey, headers = ''): Promise<RawSocket> {
  const socket = await open(get('/stream', `Authorization: Bearer ${key}\r\n${headers}`))
  await socket.until(/\r\n\r\n/)
  return socket
}

/** Reads the sample of a metric over a separate connection. */
async function metric(sample: string): Promise<number> {
  const socket = await open(
    get('/metrics', `Authorization: Bearer ${METRICS_TOKEN}\r\nConnection: close\r\n`),
  )
  await socket.closed
  const line = socket
    .text()
    .split('\n')
    .find((found) => found.startsWith(`${sample} `))
  return Number(line?.split(' ').at(-1))
}

describe('a limit of 20 connections', () => {
  beforeAll(async () => {
    server = await startTestServer({ env: { MAX_CONNECTIONS: '20', METRICS_TOKEN, LOG_LEVEL: 'info' } })
  })
  afterAll(() => server.close())

  it('the longest idle connection is closed for each further one', async () => {
    const silent: RawSocket[] = []
    for (let at = 0; at < 60; at += 1) silent.push(await open())
    for (const socket of silent.slice(0, 40)) await socket.closed
    const asking = await open(get('/api/setup/status'))
    await asking.until(/HTTP\/1\.1 \d+/)
    expect(asking.text()).not.toMatch(/HTTP\/1\.1 503/)
    expect(await metric('burgee_http_connections_refused_total{reason="evicted"}')).toBeGreaterThanOrEqual(40)
  })

  it('when all connections are used, requests get 503 with Retry-After, except health, readiness and metrics', async () => {
    const streams: RawSocket[] = []
    for (let at = 0; at < 20; at += 1) streams.push(await openStream())
    for (const stream of streams) await stream.until(READY)
    const refused = await open(get('/'))
    await refused.closed
    expect(refused.text()).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused.text()).toMatch(/\r\nretry-after: 5\r\n/i)
    expect(refused.text()).toMatch(/"retry_after_seconds":5\}$/)
    for (const path of ['/health', '/ready', '/health?x']) {
      const answered = await open(get(path))
      await answered.closed
      expect(answered.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nOK$/)
    }
    expect(await metric('burgee_http_connections_refused_total{reason="reserve"}')).toBe(1)
    expect(await metric('burgee_http_connections{state="active"}')).toBe(21)
    expect(await metric('burgee_http_connections_max')).toBe(20)
  })

  it('health stays reachable while silent connections fill the reserve, and the server serves again afterwards', async () => {
    for (let at = 0; at < 20; at += 1) await openStream()
    for (let at = 0; at < 100; at += 1) await open()
    const health = await open(get('/health'))
    await health.closed
    expect(health.text()).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of opened.splice(0)) socket.destroy()
    await eventually(async () => READY.test((await openStream()).text()))
  })

  it('one connection may have at most 128 pending requests', async () => {
    const socket = await open(get('/api/setup/status').repeat(1_000))
    await socket.closed
    expect((await server.call({ path: '/health', as: 'anonymous' })).status).toBe(200)
  })
})

describe('limits for addresses and keys', () => {
  beforeAll(async () => {
    server = await startTestServer({
      env: { MAX_CONNECTIONS_PER_ADDRESS: '12', MAX_STREAMS_PER_KEY: '3', METRICS_TOKEN },
    })
  })
  afterAll(() => server.close())

  it('connections of an address beyond its limit are closed', async () => {
    const sockets: RawSocket[] = []
    for (let at = 0; at < 30; at += 1) sockets.push(await open())
    await eventually(() => sockets.filter((socket) => socket.isClosed()).length >= 18)
    for (const socket of opened.splice(0)) socket.destroy()
    await eventually(
      async () => (await metric('burgee_http_connections_refused_total{reason="address"}')) > 0,
    )
  })

  it('a stream beyond the limit of a key gets 503 with Retry-After, until one of them ends', async () => {
    const { body } = await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: 'busy', environment_id: server.environments.production, kind: 'client' },
    })
    const streams = [await openStream(body.key), await openStream(body.key), await openStream(body.key)]
    const refused = await openStream(body.key)
    expect(refused.text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 30\r\n/i)
    const other = await openStream()
    await other.until(READY)
    streams[0]?.destroy()
    await eventually(async () => /HTTP\/1\.1 200/.test((await openStream(body.key)).text()))
    expect(await metric('burgee_streams_refused_total{reason="key"}')).toBeGreaterThan(0)
  })

  it('a stream that was never opened does not count', async () => {
    for (let time = 0; time < 10; time += 1) {
      const socket = await open(get('/stream', `Authorization: Bearer ${server.sdkKey}\r\n`) + get('/health'))
      await socket.closed
    }
    await eventually(async () => READY.test((await openStream()).text()))
  })
})

describe('limits behind a proxy', () => {
  beforeAll(async () => {
    server = await startTestServer({
      env: { TRUST_PROXY: '1', MAX_CONNECTIONS_PER_ADDRESS: '4', METRICS_TOKEN },
    })
  })
  afterAll(() => server.close())

  it('open streams are counted by the forwarded address, and connections of the proxy are not counted', async () => {
    const from = (address: string) => openStream(server.sdkKey, `X-Forwarded-For: 10.0.0.9, ${address}\r\n`)
    for (let at = 0; at < 4; at += 1) await (await from('10.0.0.1')).until(READY)
    expect((await from('10.0.0.1')).text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/i)
    const streams = [await from('10.0.0.2'), await from('10.0.0.3')]
    for (const stream of streams) await stream.until(READY)
    // All of a /64 network count as one address.
    for (let at = 0; at < 4; at += 1) await (await from(`2001:db8::${at}`)).until(READY)
    expect((await from('2001:db8::ff')).text()).toMatch(/^HTTP\/1\.1 503/)
    for (const socket of opened.splice(0)) socket.destroy()
    await eventually(async () => READY.test((await from('10.0.0.1')).text()))
  })

  it('a request is counted until its response, also when several share a connection', async () => {
    const request = get('/api/setup/status', 'X-Forwarded-For: 10.0.0.5\r\n')
    for (let time = 0; time < 3; time += 1) {
      const socket = await open(request.repeat(4))
      await socket.until(/(HTTP\/1\.1 \d+[\s\S]*){4}/)
      expect(socket.text()).not.toMatch(/HTTP\/1\.1 503/)
    }
  })
})
