import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../../sdk/src/index.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const CLIENTS = 300
const WRITES = 8
const IS_FULL = process.env.BURGEE_FULL === '1'
/** The times until a client is silent, and until it is gone, for an idle machine. */
const SILENT_MAX_MS = 5_000
const GONE_MAX_MS = 45_000
const servers: TestServer[] = []

beforeAll(async () => {
  const first = await startTestServer({ env: { LOG_LEVEL: 'error' } })
  servers.push(first)
  for (let n = 1; n < 3; n += 1) {
    servers.push(await startTestServer({ database: first.database, env: { LOG_LEVEL: 'error' } }))
  }
  await write(0)
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
})

const first = (): TestServer => {
  const [server] = servers
  if (!server) throw new Error('no server')
  return server
}
const environment = () => `/api/environments/${first().environments.production}`
const read = async (query = '') => (await first().call({ path: `${environment()}/propagation${query}` })).body
const write = async (nth: number): Promise<number> => {
  const path = `${environment()}/flags`
  const answer =
    nth === 0
      ? await first().call({ path, body: { key: 'watched', is_enabled: false } })
      : await first().call({ path: `${path}/watched`, method: 'PATCH', body: { is_enabled: nth % 2 === 1 } })
  expect(answer.status).toBe(200)
  return answer.body.revision
}

it('three instances count every client at every change, with its latency', async () => {
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    createClient({
      url: servers[n % servers.length]?.url ?? '',
      sdkKey: first().sdkKey,
      appName: 'checkout',
      instanceId: `host-${n}`,
    }),
  )
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()))
  })
  await Promise.all(clients.map((client) => client.connect()))
  await eventually(async () => (await read()).clients.current === CLIENTS)
  for (let nth = 1; nth <= WRITES; nth += 1) {
    const revision = await write(nth)
    const { clients: counted, latency_ms } = await eventually(async () => {
      const report = await read(`?revision=${revision}`)
      return report.clients.current === CLIENTS && report
    })
    expect(counted).toMatchObject({ total: CLIENTS, behind: 0, silent: 0, unconfirmable: 0 })
    expect(latency_ms.p50).toBeGreaterThanOrEqual(1)
    expect(latency_ms.max).toBeGreaterThanOrEqual(latency_ms.p99)
  }
})

it('a program that stands still is silent with the name of its instance, and gone when it ends', async () => {
  const script = `
    import { createClient } from '@burgee/sdk'
    const client = createClient({
      url: process.env.URL, sdkKey: process.env.KEY, appName: 'frozen', instanceId: 'host-of-the-test' })
    await client.connect()
    setInterval(() => {}, 1_000)`
  const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, URL: servers[1]?.url, KEY: first().sdkKey },
    stdio: 'inherit',
  })
  onTestFinished(() => void program.kill('SIGKILL'))
  const isThere = async (state: string) => {
    const path = `${environment()}/clients?app=frozen&state=${state}`
    return (await first().call({ path })).body.total === 1
  }
  await eventually(() => isThere('current'))
  program.kill('SIGSTOP')
  const revision = await write(1)
  const changedMs = performance.now()
  await write(2)
  await eventually(() => isThere('silent'))
  report('silent', performance.now() - changedMs, SILENT_MAX_MS)
  const [waiting] = (await read()).waiting
  expect(waiting).toMatchObject({ app: 'frozen', instance: 'host-of-the-test' })
  expect(waiting.revision).toBeLessThan(revision)
  program.kill('SIGKILL')
  await eventually(async () => (await read()).clients.total === 0)
})

it('a client whose connection breaks without an end of its stream is gone', async () => {
  const id = randomUUID()
  const { hostname, port } = new URL(servers[2]?.url ?? '')
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.resetAndDestroy())
    near.on('close', () => far.resetAndDestroy())
    far.on('error', () => near.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port: entry } = Object(proxy.address()) as { port: number }
  const socket = connect(entry, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    `GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${first().sdkKey}\r\n` +
      `X-Burgee-Client: id=${id}, app=broken, sdk=js/1.0.0, instance=cut\r\n\r\n`,
  )
  const isThere = async () => (await read()).clients.total === 1
  await eventually(isThere)
  socket.resetAndDestroy()
  const cutMs = performance.now()
  await eventually(async () => !(await isThere()))
  report('gone', performance.now() - cutMs, GONE_MAX_MS)
})

it('a stream without the header has the same bytes as one with it, except for that header', async () => {
  const path = `${first().url}/stream`
  const bytesOf = async (more: Record<string, string>) => {
    const aborted = new AbortController()
    const headers = { authorization: `Bearer ${first().sdkKey}`, ...more }
    const response = await fetch(path, { headers, signal: aborted.signal })
    onTestFinished(() => aborted.abort())
    const reader = response.body?.getReader()
    let text = ''
    const decoder = new TextDecoder()
    const readTo = async (end: string) => {
      while (!text.includes(end)) text += decoder.decode((await reader?.read())?.value, { stream: true })
      return text
    }
    const names = Object.fromEntries(response.headers)
    return { names, readTo }
  }
  const plain = await bytesOf({})
  const named = await bytesOf({ 'x-burgee-client': `id=${randomUUID()}, app=same, sdk=js/1.0.0` })
  const revision = await write(3)
  const end = `"revision":${revision}`
  expect(await plain.readTo(end)).toBe(await named.readTo(end))
  const { 'x-burgee-ack': asked, ...others } = named.names
  expect(asked).toMatch(/^\d+;revision=\d+$/)
  expect(Object.keys(plain.names)).toEqual(Object.keys(others))
})

/** Prints a time, and compares it with its bound in a full run. */
function report(state: string, ms: number, maxMs: number): void {
  if (!IS_FULL) return
  process.stdout.write(`${state} after ${(ms / 1_000).toFixed(1)} s\n`)
  expect(ms).toBeLessThanOrEqual(maxMs)
}
