import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../../sdk/src/index.ts'
import { eventually } from '../harness/eventually.ts'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

const CLIENTS = 300
const WRITES = 8
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
    expect(counted).toMatchObject({ total: CLIENTS, behind: 0, silent: 0, cannot_tell: 0 })
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
  await write(2)
  await eventually(() => isThere('silent'))
  const [waiting] = (await read()).waiting
  expect(waiting).toMatchObject({ app: 'frozen', instance: 'host-of-the-test' })
  expect(waiting.revision).toBeLessThan(revision)
  program.kill('SIGKILL')
  await eventually(async () => (await read()).clients.total === 0)
})
