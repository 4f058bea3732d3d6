import { type RequestListener, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/harness/start-test-server.ts'
import { run } from '../harness/run.ts'
import { serve } from '../harness/serve.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A proxy that passes a response on when it is complete, as one that buffers does with streams. */
const buffering: RequestListener = (incoming, outgoing) => {
  const { headers, method, url } = incoming
  const forwarded = request(`${server.url}${url}`, { headers, method }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      outgoing.end(Buffer.concat(chunks))
    })
    outgoing.on('close', () => response.destroy())
  })
  forwarded.on('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}

const levels = (out: string) =>
  Object.fromEntries(
    JSON.parse(out).map(({ check, level }: { check: string; level: string }) => [check, level]),
  )

describe('burgee doctor', () => {
  test('finds nothing wrong with a server on this machine', async () => {
    const { code, out } = await run(['doctor', '--url', server.url, '--sdk-key', server.sdkKey, '-o', 'json'])
    expect(levels(out)).toMatchObject({
      server: 'ok',
      tls: 'ok',
      database: 'ok',
      clock: 'ok',
      metrics: 'ok',
      streams: 'ok',
    })
    expect(code).toBe(0)
  })

  test('names a proxy that buffers streams, and what to change', async () => {
    const url = await serve(buffering)
    const { code, out } = await run(['doctor', '--url', url, '--sdk-key', server.sdkKey])
    expect(code).toBe(1)
    expect(out).toContain('!! streams: nothing of a stream arrived within 5 s: a proxy buffers it')
    expect(out).toContain('Switch off buffering')
  })

  test('finds a server key in a script of a page', async () => {
    const page = await serve(({ url }, response) => {
      response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
      response.end(url === '/' ? '<script src="/app.js"></script>' : `connect("${server.sdkKey}")`)
    })
    const { code, out } = await run(['doctor', '--url', server.url, '--page', page])
    expect(code).toBe(1)
    expect(out).toContain('!! keys in browsers:')
    expect(out).not.toContain(server.sdkKey)
  })

  test('names a clock that is wrong, a database that is unavailable, and an address of something else', async () => {
    const other = await serve((_, response) => response.end('<h1>Hello</h1>'))
    expect(await run(['doctor', '--url', other])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Check that --url is the address of Burgee'),
    })
    const broken = await serve(({ url }, response) => {
      response.setHeader('date', new Date(0).toUTCString())
      response.writeHead(url === '/ready' ? 503 : 200).end(url === '/health' ? 'OK' : 'NOT READY')
    })
    const { code, out } = await run(['doctor', '--url', broken, '-o', 'json'])
    expect(code).toBe(1)
    expect(levels(out)).toMatchObject({ server: 'ok', database: 'problem', clock: 'warning' })
    expect(await run(['doctor', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('cannot be reached'),
    })
  })
})
