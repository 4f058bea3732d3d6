import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

describe('the fast path of GET /flags/snapshot', () => {
  let server: TestServer

  beforeAll(async () => {
    // At the level debug every response is logged, which only the ordinary path does.
    server = await startTestServer({ env: { LOG_LEVEL: 'warn', CLIENT_SNAPSHOT_CACHE_SECONDS: '30' } })
  })
  afterAll(() => server.close())

  it.each([
    ['a plain snapshot', {}, 200],
    ['a compressed snapshot', { 'accept-encoding': 'gzip' }, 200],
    ['not modified', { 'if-none-match': '*' }, 304],
  ])('the fast path responds exactly like the ordinary path: %s', async (_what, headers, status) => {
    // A query keeps a request on the ordinary path; it also compresses what the next one finds compressed.
    const ordinary = await ask('/flags/snapshot?ordinary', headers)
    const short = await ask('/flags/snapshot', headers)

    expect(ordinary.status).toBe(status)
    expect(short).toEqual(ordinary)
    expect(short.headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' })
  })

  it('no shared cache may keep a snapshot of any kind of key, and CLIENT_SNAPSHOT_CACHE_SECONDS only warns', async () => {
    const environment_id = server.environments.production
    const keys = [server.sdkKey]
    for (const kind of ['client', 'reader']) {
      const body = { name: kind, environment_id, kind }
      const made = await server.call({ path: `/api/projects/${server.project.id}/keys`, body })
      keys.push(made.body.key)
    }
    for (const path of ['/flags/snapshot?ordinary', '/flags/snapshot'])
      for (const key of keys) {
        const whole = await ask(path, {}, key)
        const known = await ask(path, { 'if-none-match': String(whole.headers.etag) }, key)
        expect([whole.status, known.status]).toEqual([200, 304])
        for (const { headers } of [whole, known])
          expect(headers).toMatchObject({
            'cache-control': 'private, no-cache',
            vary: 'accept-encoding, authorization',
          })
      }
    expect(server.logged()).toContain('CLIENT_SNAPSHOT_CACHE_SECONDS has no effect')
  })

  function ask(
    path: string,
    headers: Record<string, string>,
    sdkKey = server.sdkKey,
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
    const authorization = `Bearer ${sdkKey}`
    return new Promise((resolve, reject) => {
      const sent = request(server.url + path, { headers: { ...headers, authorization } }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode,
            headers: comparable(answer.headers),
            body: Buffer.concat(pieces).toString('base64'),
          }),
        )
      })
      sent.on('error', reject).end()
    })
  }
})

/** Removes the date and the request id of a response. */
const comparable = ({
  date: _date,
  'x-request-id': id,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders => ({ ...headers, 'x-request-id': typeof id })
