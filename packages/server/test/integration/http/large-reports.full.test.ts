import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { openEnvironment, type Reporting } from '../../reports/reporting.ts'

const MIB = 1024 * 1024

let server: TestServer
let reports: Reporting
let clientKey: string
let serverKey: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  reports = await openEnvironment(server)
  clientKey = await createKey('client')
  serverKey = await createKey('server')
})
afterAll(() => server.close())

async function createKey(kind: 'client' | 'server'): Promise<string> {
  const path = `/api/projects/${server.project.id}/keys`
  const body = { name: kind, environment_id: reports.environment_id, kind }
  return (await server.call({ path, body })).body.key
}

const json = { 'content-type': 'application/json' }
const ingest = (body: string) => {
  const path = `/api/environments/${reports.environment_id}/impressions`
  return server.call({ method: 'POST', path, body, headers: json })
}

interface Sending {
  readonly key: string
  readonly inChunks?: boolean
}

/** Sends a body with its length, or in chunks. */
async function send(path: string, body: string, { inChunks = false, key }: Sending) {
  const sent = request(new URL(path, server.url), {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${key}`, ...(!inChunks && { 'content-length': body.length }) },
  })
  // The server may respond and close before it has read everything.
  sent.on('error', () => {})
  if (inChunks) for (let at = 0; at < body.length; at += 64 * 1024) sent.write(body.slice(at, at + 64 * 1024))
  sent.end(inChunks ? undefined : body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode, body: text === '' ? null : JSON.parse(text) }
}

const bodyOf = (bytes: number): string => {
  const around = JSON.stringify([{ flag_key: 'a', event_key: 'a', user_id: '' }])
  return around.replace('"user_id":""', `"user_id":"${'u'.repeat(bytes - around.length)}"`)
}

describe('a report of a client key', () => {
  it.each([
    ['events', false],
    ['events', true],
    ['impressions', false],
    ['impressions', true],
  ])(
    'a client report of %s above 1 MiB is refused (in chunks: %s), with the limit',
    async (kind, inChunks) => {
      const path = `/api/environments/${reports.environment_id}/${kind}`
      const { body, status } = await send(path, bodyOf(MIB + 1), { key: clientKey, inChunks })
      expect(status).toBe(413)
      expect(body.error).toMatch(/client key may have 1 MiB.*with a server key 16 MiB/)
    },
  )

  it.each([false, true])('a client report of 1 MiB is accepted (in chunks: %s)', async (inChunks) => {
    const path = `/api/environments/${reports.environment_id}/events`
    expect((await send(path, bodyOf(MIB), { key: clientKey, inChunks })).status).toBe(204)
  })
})

/**
 * Starts bodies that never end, each with so many bytes. Returns the statuses of those that were answered.
 */
function stall(count: number, bytes: number, key: string) {
  const path = `/api/environments/${reports.environment_id}/events`
  const statuses: (number | undefined)[] = []
  const open = Array.from({ length: count }, () => {
    const sent = request(new URL(path, server.url), {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${key}`, 'content-length': bytes + 1 },
    })
    sent.on('error', () => {})
    sent.on('response', (response) => statuses.push(response.resume().statusCode))
    sent.write(Buffer.alloc(bytes, ' '))
    return sent
  })
  const close = () => {
    for (const sent of open) sent.destroy()
  }
  return { statuses, close }
}

it.each([
  ['client keys', 300, MIB - 1],
  ['server keys', 20, 16 * MIB - 1],
])(
  'endless bodies of %s take at most 256 MiB: the oldest are refused, and others are accepted',
  async (kind, count, bytes) => {
    const { close, statuses } = stall(count, bytes, kind === 'client keys' ? clientKey : serverKey)
    const excess = Math.ceil((count * bytes) / MIB) - 256
    await eventually(async () => statuses.length >= Math.floor(excess / (bytes / MIB)))

    const path = `/api/environments/${reports.environment_id}/impressions`
    const bodies = ['[]', `[${' '.repeat(MIB - 2)}]`]
    for (const body of bodies)
      for (const inChunks of [false, true])
        expect((await send(path, body, { key: clientKey, inChunks })).status).toBe(204)
    const long = `[${' '.repeat(2 * MIB)}]`
    expect((await send(path, long, { key: serverKey, inChunks: true })).status).toBe(204)
    expect(new Set(statuses)).toEqual(new Set([503]))
    close()
  },
)

describe('a large report', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const around = (context: string) => `[{"flag_key":"a","value":"x","context":${context}}]`

  it.each([
    ['nests a million levels deep', nested(1_000_000)],
    ['has a million lists', `{"a":[${Array(1_000_000).fill('[]').join(',')}]}`],
    [
      'has a million fields',
      `{${Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join(',')}}`,
    ],
    ['is a text of 10 MB', `{"a":"${'x'.repeat(10_000_000)}"}`],
  ])('a large report is stored without its context when that %s', async (_, context) => {
    expect((await ingest(around(context))).status).toBe(204)
    expect((await reports.list()).items).toMatchObject([{ flag_key: 'a', value: 'x', context: null }])
  })

  it('a large report keeps a context of 8 KiB that is written in 48', async () => {
    const text = '\\u0062'.repeat(8_180)
    const padding = `"x":"${'y'.repeat(200_000)}",`
    expect((await ingest(around(`{"a":"${text}"}`).replace('"value"', `${padding}"value"`))).status).toBe(204)
    expect((await reports.list()).items[0].context).toEqual({ a: 'b'.repeat(8_180) })
  })

  it('a large report cuts a value of 16 MB, escaped or not', async () => {
    for (const unit of ['x', '\\u0078', '\\ud83d\\ude00', '😀']) {
      const length = Math.floor(15_900_000 / Buffer.byteLength(unit))
      expect((await ingest(`[{"flag_key":"a","value":"${unit.repeat(length)}"}]`)).status).toBe(204)
    }
    const values = (await reports.list()).items.map(({ value }: { value: string }) => value)
    expect(values).toEqual([...Array(2).fill('😀'.repeat(8_192)), ...Array(2).fill('x'.repeat(8_192))])
  })

  it.each([
    ['an item that is no object', '7', '/0', 'must be an object'],
    ['a list for a value', '{"flag_key":"a","value":[]}', '/0/value', 'must be text'],
    [
      'a list for a context',
      '{"flag_key":"a","value":"a","context":[]}',
      '/0/context',
      'must be an object or null',
    ],
    [
      'a text for a time',
      '{"flag_key":"a","value":"a","evaluated_at":"x"}',
      '/0/evaluated_at',
      'must be a time such as 2026-01-31T09:30:00Z or null',
    ],
  ])('a large report is refused like a small one for %s', async (_, item, path, message) => {
    const padding = ' '.repeat(200_000)
    for (const body of [`[${item}]`, `[${padding}${item}]`]) {
      const answer = await ingest(body)
      expect(answer.status).toBe(422)
      expect(answer.body.details).toContainEqual({ path, message })
    }
  })

  it.each([
    '[{"flag_key":"a","value":"a"}',
    '[{"flag_key":"a","value":"a"}]x',
    `[{"value":${'7'.repeat(3_000)}}]`,
  ])('a large report is invalid like a small one: %#', async (body) => {
    expect((await ingest(`${' '.repeat(200_000)}${body}`)).status).toBe(400)
  })
})
