import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createKey } from '../../reports/client-key.ts'
import { openEnvironment } from '../../reports/reporting.ts'

let server: TestServer
let twin: TestServer
let environment_id: string
let key: { bearer: string }
const streams: TestStream[] = []

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error', METRICS_TOKEN: 'a-token-of-the-metrics' } })
  twin = await startTestServer({ database: server.database, env: { LOG_LEVEL: 'error' } })
})
beforeEach(async () => {
  ;({ environment_id } = await openEnvironment(server))
  key = await createKey(server, environment_id, 'server')
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(async () => {
  await twin.close()
  await server.close()
})

const header = (id: string, app = 'checkout') => `id=${id}, app=${app}, sdk=js/1.4.0, instance=host%201`
const open = async (client: string | null, as = key, on = server) => {
  const named = client === null ? {} : { 'X-Burgee-Client': header(client) }
  const stream = await readStream(`${on.url}/stream`, { Authorization: `Bearer ${as.bearer}`, ...named })
  streams.push(stream)
  return stream
}
const ack = (client: unknown, applied: unknown, as = key, on = server) =>
  on.call({ path: '/sdk/ack', method: 'POST', as, body: { client, applied } })
const read = async (query = '', on = server) => {
  const answer = await on.call({ path: `/api/environments/${environment_id}/propagation${query}` })
  expect(answer.status).toBe(200)
  return answer.body
}
const clients = async (query = '', on = server) => {
  const answer = await on.call({ path: `/api/environments/${environment_id}/clients${query}` })
  expect(answer.status).toBe(200)
  return answer.body
}
const change = async (is_enabled = true): Promise<number> => {
  const path = `/api/environments/${environment_id}/flags`
  const made = await server.call({ path: `${path}/checkout` })
  const answer =
    made.status === 404
      ? await server.call({ path, body: { key: 'checkout', is_enabled } })
      : await server.call({ path: `${path}/checkout`, method: 'PATCH', body: { is_enabled } })
  expect(answer.status).toBe(200)
  return answer.body.revision
}
const revisionOf = (text: string | null) => Number(/;revision=(\d+)$/.exec(text ?? '')?.[1])
const counted = (wanted: object, query = '', on = server) =>
  eventually(async () => {
    const found = (await read(query, on)).clients
    expect(found).toMatchObject(wanted)
    return true
  })

describe('confirmations of SDKs', () => {
  it('a client is behind until it confirms, and then current, over all instances', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    const stream = await open(id)
    await open(other, key, twin)
    const revision = revisionOf(stream.headers.get('x-burgee-ack'))
    expect(stream.headers.get('x-burgee-ack')).toBe(`50;revision=${revision}`)
    const next = await change()
    await counted({ total: 2, current: 0, unconfirmable: 0 })
    const answer = await ack(id, [
      [revision, 40],
      [next, 2.5],
    ])
    expect(answer).toMatchObject({ status: 204 })
    expect(answer.headers.get('x-burgee-ack')).toBe('50')
    await counted({ total: 2, current: 1 }, `?revision=${next}`, twin)
    const report = await read()
    expect(report).toMatchObject({ environment_id, revision: next, share: 0.5 })
    expect(report.waiting).toMatchObject([{ client_id: other, app: 'checkout', instance: 'host 1' }])
    expect(report.latency_ms.p50).toBeGreaterThan(0)
    expect(report.latency_ms.max).toBe(report.latency_ms.p99)
    await ack(other, [[next, 1]], key, twin)
    await counted({ total: 2, current: 2 })
    expect(await read('', twin)).toMatchObject({ share: 1, waiting: [] })
  })

  it('a confirmation may arrive at another instance than the stream', async () => {
    const id = randomUUID()
    await open(id)
    await counted({ total: 1 })
    const revision = await change()
    expect((await ack(id, [[revision, 1]], key, twin)).status).toBe(204)
    await counted({ total: 1, current: 1 })
    await eventually(async () => (await read()).latency_ms.p99 !== null)
  })

  it('a client without a confirmation is silent after the spread and 2 s, with its instance', async () => {
    const id = randomUUID()
    await open(id)
    await ack(id, [[await change(), 0]])
    await counted({ current: 1 })
    await change(false)
    await counted({ total: 1, silent: 1, behind: 0 })
    const { items, total } = await clients('?state=silent&app=checkout')
    expect({ items, total }).toMatchObject({ total: 1, items: [{ client_id: id, instance: 'host 1' }] })
    expect(await clients('?state=current')).toMatchObject({ total: 0, items: [] })
    expect((await read()).waiting[0].silent_ms).toBeGreaterThan(2_000)
  })

  it('a stream that closes leaves the total, and one without the header is counted as unconfirmable', async () => {
    const id = randomUUID()
    const stream = await open(id)
    const plain = await open(null)
    const browser = await open(randomUUID(), await createKey(server, environment_id, 'client'))
    expect(plain.headers.get('x-burgee-ack')).toBeNull()
    expect(browser.headers.get('x-burgee-ack')).toBeNull()
    await counted({ total: 1, unconfirmable: 2 })
    stream.close()
    await counted({ total: 0, unconfirmable: 2 })
    expect(await read()).toMatchObject({ share: 1 })
  })

  it('a client with streams at two instances counts once, until the last of them has ended', async () => {
    const [id, marker] = [randomUUID(), randomUUID()]
    const first = await open(id)
    await counted({ total: 1 })
    const second = await open(id, key, twin)
    await ack(id, [[await change(), 1]])
    await counted({ total: 1, current: 1 }, '', twin)
    expect(await clients()).toMatchObject({ total: 1, items: [{ client_id: id, transport: 'stream' }] })
    second.close()
    // The twin stores the end of its stream no later than the client that came after it.
    await open(marker, key, twin)
    await counted({ total: 2, current: 1 }, '', twin)
    await change(false)
    await counted({ total: 2, current: 0 })
    first.close()
    await counted({ total: 1, current: 0 })
  })

  it('a client that moves between instances stays current, and confirms at any of them', async () => {
    const id = randomUUID()
    const first = await open(id)
    const revision = await change()
    await ack(id, [[revision, 1]])
    await counted({ total: 1, current: 1 })
    const [{ server_id }] = (await clients()).items
    await open(id, key, twin)
    await eventually(async () => (await clients('', twin)).items[0].server_id !== server_id)
    first.close()
    await eventually(async () => (await clients()).items[0]?.state === 'current')
    const next = await change(false)
    await ack(id, [[next, 1]], key, server)
    await counted({ total: 1, current: 1 }, `?revision=${next}`, twin)
    expect((await read()).latency_ms.p50).toBeGreaterThan(0)
  })

  it('one id with the keys of two programs is two clients', async () => {
    const id = randomUUID()
    const other = await createKey(server, environment_id, 'server')
    await open(id)
    await counted({ total: 1 })
    await open(id, other, twin)
    await counted({ total: 2 })
    const revision = await change()
    // The twin accepts it once it has the change itself.
    await eventually(async () => {
      await ack(id, [[revision, 1]], other, twin)
      return (await read()).clients.current === 1
    })
    await counted({ total: 2, current: 1 })
  })

  it('a client that polls confirms as well, on the fast path and on the ordinary one', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    const revision = await change()
    for (const [client, path] of [
      [id, '/flags/snapshot?ordinary'],
      [other, '/flags/snapshot'],
    ] as const) {
      const answer = await server.call({ path, as: key, headers: { 'X-Burgee-Client': header(client) } })
      expect(answer.headers.get('x-burgee-ack')).toBe(`50;revision=${revision}`)
      await ack(client, [[revision, 1]])
    }
    expect(await clients()).toMatchObject({ total: 2, items: [{ transport: 'poll' }, { transport: 'poll' }] })
    expect(await read()).toMatchObject({ clients: { total: 2, current: 2 } })
  })

  it('writes that SDKs do not see need no confirmation', async () => {
    const id = randomUUID()
    await change()
    const path = `/api/environments/${environment_id}/flags/checkout`
    await server.call({ path: `${path}/archive`, method: 'POST' })
    const { revision } = await read()
    await open(id)
    await ack(id, [[revision, 1]])
    expect((await server.call({ path, method: 'DELETE' })).status).toBe(204)
    const after = await read()
    expect(after.revision).toBeGreaterThan(revision)
    expect(after).toMatchObject({ clients: { total: 1, current: 1 } })
  })

  it('shows the metrics of clients', async () => {
    const id = randomUUID()
    await open(id)
    await ack(id, [[await change(), 1]])
    await counted({ current: 1 })
    const scrape = async () => {
      const answer = await fetch(`${server.url}/metrics`, {
        headers: { Authorization: 'Bearer a-token-of-the-metrics' },
      })
      return answer.text()
    }
    const line = `burgee_clients{environment_id="${environment_id}",app="checkout",state="current"} 1`
    await eventually(async () => (await scrape()).includes(line))
    expect(await scrape()).toMatch(/burgee_client_propagation_seconds_count [1-9]/)
  })
})

describe('hostile confirmations', () => {
  it('another key, another environment and unknown ids change nothing', async () => {
    const id = randomUUID()
    await open(id)
    const revision = await change()
    const elsewhere = await openEnvironment(server)
    const strangers = [
      await createKey(server, environment_id, 'server'),
      await createKey(server, environment_id, 'client'),
      await createKey(server, elsewhere.environment_id, 'server'),
    ]
    for (const stranger of strangers) {
      for (const on of [server, twin]) expect((await ack(id, [[revision, 1]], stranger, on)).status).toBe(204)
    }
    await ack(randomUUID(), [[revision, 1]])
    await ack("'; drop table sdk_clients", [[revision, 1]])
    // The next confirmation is stored after the others.
    const last = randomUUID()
    await open(last)
    await ack(last, [[revision, 1]])
    await counted({ total: 2, current: 1 })
    expect((await clients('?state=current')).items).toMatchObject([{ client_id: last }])
  })

  it('a revision that does not exist yet is ignored', async () => {
    const id = randomUUID()
    await open(id)
    const revision = await change()
    for (const on of [server, twin]) {
      expect((await ack(id, [[revision + 1_000, 1]], key, on)).status).toBe(204)
    }
    await counted({ total: 1, current: 0 })
  })

  it.each([
    ['no id', 'app=checkout'],
    ['an odd id', `id=1, app=checkout`],
    ['a header without end', `id=${randomUUID()}, app=${'x'.repeat(3_000)}`],
  ])('a client with %s is served and confirms nothing', async (_what, text) => {
    const answer = await server.call({
      path: '/flags/snapshot',
      as: key,
      headers: { 'X-Burgee-Client': text },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-burgee-ack')).toBeNull()
  })

  it('names are cut, decoded and without control characters', async () => {
    const id = randomUUID()
    const named = `id=${id}, app=%00${'%C3%BC'.repeat(150)}, instance=%, sdk=`
    await server.call({ path: '/flags/snapshot', as: key, headers: { 'X-Burgee-Client': named } })
    expect((await clients()).items).toMatchObject([{ app: ` ${'ü'.repeat(99)}`, instance: '%', sdk: '' }])
  })

  it.each([
    ['too many revisions', { applied: Array.from({ length: 51 }, () => [1, 1]) }, 422],
    ['a revision beyond every number', { applied: [[1e300, 1]] }, 422],
    ['nothing', {}, 422],
    ['revisions and no client', { applied: [] }, 422],
    ['8 KiB', { client: 'x'.repeat(8_200) }, 413],
    ['no JSON', '{"client":', 400],
  ])('a body with %s is refused', async (_what, body, status) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.call({ path: '/sdk/ack', method: 'POST', as: key, body, headers })
    expect(answer.status).toBe(status)
  })

  it('a body without a valid key is 401', async () => {
    expect((await ack(randomUUID(), [], { bearer: 'sk_live_unknown' })).status).toBe(401)
  })

  it('revisions that are not kept are 404', async () => {
    const current = await change()
    for (const revision of [current + 1, current - 200]) {
      const path = `/api/environments/${environment_id}/propagation?revision=${revision}`
      expect((await server.call({ path })).status).toBe(revision < 0 ? 422 : 404)
    }
  })
})
