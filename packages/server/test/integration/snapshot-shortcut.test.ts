import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

describe('the fast path of GET /flags/snapshot', () => {
  let server: TestServer

  beforeAll(async () => {
    // At the level debug every response is logged, which only the ordinary path does.
    server = await startTestServer({ env: { LOG_LEVEL: 'error', CLIENT_SNAPSHOT_CACHE_SECONDS: '30' } })
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

  it('with CLIENT_SNAPSHOT_CACHE_SECONDS, shared caches may keep snapshots of client keys, and no others', async () => {
    const environment_id = server.environments.production
    const { body } = await server.call({
      path: `/api/projects/${server.project.id}/keys`,
      body: { name: 'Browser', environment_id, kind: 'client' },
    })

    for (const path of ['/flags/snapshot?ordinary', '/flags/snapshot']) {
      const ofClient = await ask(path, {}, body.key)
      const ofServer = await ask(path, {})
      expect(ofClient.headers).toMatchObject({
        'cache-control': 'public, max-age=0, s-maxage=30',
        vary: 'accept-encoding, authorization',
      })
      expect(ofServer.headers).toMatchObject({ 'cache-control': 'private, no-cache' })
    }
  })

  function ask(
    path: string,
    headers: Record<string, string>,
    sdkKey = server.sdkKey,
  ): Promise<{ status: number | undefined; headers: object; body: string }> {
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
