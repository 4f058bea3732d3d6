import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startReceiver } from '../../harness/start-receiver.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** The bound of docs/reference/events.md#limits-of-receivers. */
const HOST_MAX_BYTES = 16 * 1024 * 1024
const WEBHOOKS = 30
const MAX = 100

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => server.close())

/** A receiver that keeps every request open until the test lets it respond. */
async function startHolder() {
  const open = new Map<ServerResponse, number>()
  const arrived: string[] = []
  let bytes = 0
  let mostBytes = 0
  let isOpen = false
  const http = createServer((request, response) => {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      bytes += chunk.length
      mostBytes = Math.max(mostBytes, bytes)
    })
    response.on('close', () => {
      open.delete(response)
      bytes -= size
    })
    request.on('end', () => {
      arrived.push(request.url ?? '')
      open.set(response, size)
      if (isOpen) response.end()
    })
    request.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    arrived,
    open,
    mostBytes: () => mostBytes,
    respond() {
      isOpen = true
      for (const response of open.keys()) response.end()
    },
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

async function newEnvironment(slug: string): Promise<string> {
  const path = `/api/projects/${server.project.id}/environments`
  return (await server.call({ path, body: { name: slug, slug } })).body.id
}

const values = (letter: string) => [letter.repeat(450_000), letter.toUpperCase().repeat(450_000)]
const write = (environment: string, letter: string) =>
  server.call({
    path: `/api/environments/${environment}/flags`,
    body: {
      key: 'large',
      is_enabled: true,
      rules: [{ attribute: 'name', operator: 'equals', values: values(letter) }],
    },
  })

it('one host gets at most 16 MiB at a time, the rest waits and arrives, and other hosts wait for none of it', async () => {
  const environment = await newEnvironment('large-events')
  const [holder, other] = [await startHolder(), await startReceiver()]
  try {
    expect((await write(environment, 'a')).status).toBe(200)
    const path = `/api/environments/${environment}/webhooks`
    for (let nth = 0; nth < WEBHOOKS; nth += 1) {
      const body = { name: `hook ${nth}`, url: holder.url(`/${nth}`) }
      expect((await server.call({ path, body })).status).toBe(200)
    }
    const elsewhere = { name: 'other', url: other.url('/other').replace('127.0.0.1', 'localhost') }
    expect((await server.call({ path, body: elsewhere })).status).toBe(200)
    expect((await write(environment, 'b')).status).toBe(200)
    await eventually(() => holder.open.size >= 2)
    const [size = 0] = holder.open.values()
    expect(size).toBeGreaterThan(900_000)
    const fitting = Math.floor(HOST_MAX_BYTES / size)
    expect(fitting).toBeLessThan(WEBHOOKS)
    await eventually(() => holder.open.size === fitting)
    await eventually(() => other.received().length === 1)
    expect(holder.open.size).toBe(fitting)
    holder.respond()
    await eventually(() => new Set(holder.arrived).size === WEBHOOKS)
    expect(holder.mostBytes()).toBeLessThanOrEqual(HOST_MAX_BYTES)
    await eventually(async () => {
      const { rows } = await server.database.pool.query('select count(*)::int as n from delivery_jobs')
      return rows[0].n === 0
    })
  } finally {
    await holder.close()
    await other.close()
  }
})

it.each([
  ['webhooks', (nth: number) => ({ name: `hook ${nth}`, url: 'http://127.0.0.1:9/x', enabled: false })],
  [
    'integrations',
    (nth: number) => ({
      ...{ name: `chat ${nth}`, kind: 'slack', enabled: false },
      webhook_url: 'http://127.0.0.1:9/services/x',
    }),
  ],
] as const)(
  '%s: an environment has at most 100 of them, also when they are created at the same time',
  async (kind, bodyOf) => {
    const environment = await newEnvironment(`many-${kind}`)
    const path = `/api/environments/${environment}/${kind}`
    for (let nth = 0; nth < MAX - 3; nth += 1)
      expect((await server.call({ path, body: bodyOf(nth) })).status).toBe(200)
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((nth) => server.call({ path, body: bodyOf(MAX + nth) })),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(refused[0]?.body.error).toMatch(/^The environment has 100 .* already\. Delete one/)
    const { body: listed } = await server.call({ path })
    expect(listed).toHaveLength(MAX)

    // One that was stored beyond the limit goes on, and can be changed and deleted.
    const table = kind
    const columns =
      kind === 'webhooks'
        ? 'name, url, enabled'
        : 'name, kind, webhook_url_sealed, webhook_url_preview, events, enabled'
    await server.database.pool.query(
      `insert into ${table} (id, environment_id, created_at, after_event_id, ${columns})
     select gen_random_uuid(), environment_id, now(), after_event_id, ${columns} from ${table} where environment_id = $1 limit 1`,
      [environment],
    )
    const beyond = (await server.call({ path })).body
    expect(beyond).toHaveLength(MAX + 1)
    const last = `${path}/${beyond.at(-1).id}`
    expect((await server.call({ method: 'PATCH', path: last, body: { name: 'renamed' } })).status).toBe(200)
    for (const wanted of [409, 409, 200]) {
      expect((await server.call({ path, body: bodyOf(MAX) })).status).toBe(wanted)
      const [first] = (await server.call({ path })).body
      expect((await server.call({ method: 'DELETE', path: `${path}/${first.id}` })).status).toBe(204)
    }
  },
)
