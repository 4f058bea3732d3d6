import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness/start-test-server.ts'

describe('the fast path of GET /flags/snapshot', () => {
  let server: TestServer

  beforeAll(async () => {
    // At the level debug every response is logged, which only the ordinary path does.
    server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
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

  function ask(
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number | undefined; headers: object; body: string }> {
    const authorization = `Bearer ${server.sdkKey}`
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
