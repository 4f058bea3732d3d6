import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let other: TestServer
let environment: string
let clientKey: string

beforeAll(async () => {
  server = await startTestServer()
  other = await startTestServer({ database: server.database, setUp: false })
  environment = `/api/environments/${server.environments.production}`
  const { body } = await server.call({
    path: `/api/projects/${server.project.id}/keys`,
    body: { name: 'browser', environment_id: server.environments.production, kind: 'client' },
  })
  clientKey = body.key
})
afterAll(async () => {
  await other.close()
  await server.close()
})

interface Warned {
  readonly warnings?: readonly { readonly code: string; readonly path: string; readonly message: string }[]
}
const hiddenWarnings = ({ warnings }: Warned) =>
  (warnings ?? []).filter(({ code }) => code === 'hidden_prerequisite').map(({ path }) => path)

async function put(key: string, needs: readonly string[] = [], more: object = {}): Promise<string[]> {
  const prerequisites = needs.map((flag_key) => ({ flag_key }))
  const answer = await server.call({
    path: `${environment}/flags`,
    body: { key, is_enabled: true, prerequisites, ...more },
  })
  expect(answer.status).toBe(200)
  return hiddenWarnings(answer.body)
}
async function patch(key: string, body: object): Promise<string[]> {
  const answer = await server.call({ method: 'PATCH', path: `${environment}/flags/${key}`, body })
  expect(answer.status).toBe(200)
  return hiddenWarnings(answer.body)
}
const HIDDEN = { client_visible: false }

const open = (url: string, key: string) => readStream(`${url}/stream`, { authorization: `Bearer ${key}` })

/** The keys that a client of the stream has. */
function keysOf(stream: TestStream): string[] {
  const keys = new Set<string>()
  for (const { data } of stream.events) {
    if (data?.type === 'UPSERT') keys.add(data.flag.key)
    if (data?.type === 'DELETE') keys.delete(data.key)
  }
  return [...keys].sort()
}
const snapshot = (at: TestServer, key: string, headers: Record<string, string> = {}) =>
  at.call({ path: '/flags/snapshot', as: { bearer: key }, headers })
const keysIn = (body: readonly { readonly key: string }[]) => body.map(({ key }) => key)

describe('a flag with client_visible: false', () => {
  it('is kept from client keys on streams and snapshots of every instance, also while they are open', async () => {
    await put('open')
    await put('secret', [], HIDDEN)
    const streams = await Promise.all([open(server.url, clientKey), open(other.url, clientKey)])
    const trusted = await open(other.url, server.sdkKey)
    for (const stream of [...streams, trusted]) await stream.until(({ event }) => event === 'ready')
    for (const stream of streams) {
      expect(keysOf(stream)).toEqual(['open'])
      expect(stream.events.find(({ event }) => event === 'ready')?.data).toBe('1')
    }
    expect(keysOf(trusted)).toEqual(['open', 'secret'])
    expect(trusted.text()).not.toContain('client_visible')

    /** Waits until every client has exactly these keys: a later write of `open` has arrived everywhere. */
    let writes = 0
    const expectKeys = async (expected: string[]) => {
      writes += 1
      await patch('open', { rollout_percentage: writes })
      for (const stream of streams) {
        await stream.until(({ data }) => data?.flag?.rollout_percentage === writes)
        expect(keysOf(stream)).toEqual(expected)
      }
      for (const at of [server, other]) {
        await eventually(async () => {
          const { body } = await snapshot(at, clientKey)
          return body.some(
            ({ rollout_percentage }: { rollout_percentage?: number }) => rollout_percentage === writes,
          )
        })
        expect(keysIn((await snapshot(at, clientKey)).body)).toEqual(expected)
      }
    }

    await patch('secret', { description: 'still secret' })
    await expectKeys(['open'])
    await patch('secret', { client_visible: true })
    await expectKeys(['open', 'secret'])
    await patch('secret', HIDDEN)
    await expectKeys(['open'])
    await put('deep', [], HIDDEN)
    expect(await patch('secret', { prerequisites: [{ flag_key: 'deep' }] })).toEqual([])
    await expectKeys(['open'])
    expect(await patch('open', { prerequisites: [{ flag_key: 'secret' }] })).toEqual([
      '/prerequisites/0/flag_key',
    ])
    await expectKeys(['deep', 'open', 'secret'])
    await patch('secret', { archived_at: '2026-01-01T00:00:00Z' })
    await expectKeys(['open'])
    await patch('secret', { archived_at: null })
    await expectKeys(['deep', 'open', 'secret'])
    await server.call({ method: 'DELETE', path: `${environment}/flags/deep` })
    await expectKeys(['open', 'secret'])
    await patch('open', { prerequisites: [] })
    await expectKeys(['open'])
    for (const stream of [...streams, trusted]) stream.close()
  })

  it('changes nothing in the snapshot of client keys, whose ETag is another than that of server keys', async () => {
    await put('etag-secret', [], HIDDEN)
    const client = await snapshot(server, clientKey)
    const trusted = await snapshot(server, server.sdkKey)
    const etag = client.headers.get('etag') ?? ''
    expect(etag).not.toBe(trusted.headers.get('etag'))
    expect(keysIn(trusted.body)).toContain('etag-secret')
    expect(JSON.stringify(client.body)).not.toContain('etag-secret')
    await patch('etag-secret', { is_enabled: false })
    expect((await snapshot(server, clientKey, { 'if-none-match': etag })).status).toBe(304)
    expect((await snapshot(server, server.sdkKey, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('the warning hidden_prerequisite', () => {
  it('is given by the write after which a visible flag needs a hidden one, whichever flag it changes', async () => {
    await put('w-deep', [], HIDDEN)
    expect(await put('w-middle', ['w-deep'], HIDDEN)).toEqual([])
    expect(await put('w-top', ['w-middle'])).toEqual(['/prerequisites/0/flag_key'])
    const read = await server.call({ path: `${environment}/flags/w-deep` })
    expect(read.body.warnings).toEqual([
      {
        code: 'hidden_prerequisite',
        path: '/client_visible',
        message: 'Client keys receive this flag all the same, because "w-top" needs it.',
      },
    ])
    expect(await patch('w-middle', { description: 'x' })).toEqual([
      '/client_visible',
      '/prerequisites/0/flag_key',
    ])
    // A visible flag between them is needed by itself.
    expect(await patch('w-middle', { client_visible: true })).toEqual(['/prerequisites/0/flag_key'])
    expect(await patch('w-top', HIDDEN)).toEqual([])
    expect(await patch('w-middle', HIDDEN)).toEqual([])
    expect(await patch('w-top', { client_visible: true })).toEqual(['/prerequisites/0/flag_key'])
    // An archived flag needs nothing, and nothing is needed through it.
    expect(await patch('w-middle', { archived_at: '2026-01-01T00:00:00Z' })).toEqual([])
    expect(await patch('w-deep', { description: 'x' })).toEqual([])
    expect(await patch('w-top', { description: 'x' })).toEqual([])
  })

  it('is part of a preview', async () => {
    await put('p-hidden', [], HIDDEN)
    const flag = { key: 'p-new', is_enabled: true, prerequisites: [{ flag_key: 'p-hidden' }] }
    const { body } = await server.call({ path: `${environment}/flags/preview`, body: flag })
    expect(hiddenWarnings(body)).toEqual(['/prerequisites/0/flag_key'])
  })

  it('is left out for a cycle of hidden flags, which client keys never receive', async () => {
    await put('ring-one', ['ring-two'], HIDDEN)
    expect(await put('ring-two', ['ring-one'], HIDDEN)).toEqual([])
  })
})
