import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../harness/open-socket.ts'
import { readStream } from '../harness/read-stream.ts'
import { ADMIN, type Call, startTestServer, type TestServer } from '../harness/start-test-server.ts'

const POLICY = "default-src 'none'; frame-ancestors 'none'"

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { PUBLIC_URL: 'https://flags.example.com', TRUST_PROXY: '127.0.0.1' },
  })
})
afterAll(() => server.close())

const withKey = () => ({ bearer: server.sdkKey })

describe('every answer', () => {
  const answers: readonly [string, () => Call][] = [
    ['a resource', () => ({ path: '/api/projects' })],
    ['an unknown route', () => ({ path: '/api/nothing' })],
    ['a missing credential', () => ({ path: '/api/projects', as: 'anonymous' })],
    ['a wrong method', () => ({ method: 'PUT', path: '/api/projects' })],
    ['a URL that cannot be decoded', () => ({ path: '/api/%E0%A4%A' })],
    [
      'broken JSON',
      () => ({ path: '/api/projects', body: '{', headers: { 'content-type': 'application/json' } }),
    ],
    ['a preflight', () => ({ method: 'OPTIONS', path: '/flags/snapshot', as: 'anonymous' })],
    ['a snapshot', () => ({ path: '/flags/snapshot', as: withKey() })],
    ['the health', () => ({ path: '/health', as: 'anonymous' })],
    ['no file', () => ({ path: '/no/such/file.js', as: 'anonymous' })],
  ]

  it.each(answers)('forbids browsers to load, run or frame anything: %s', async (_what, call) => {
    const { headers } = await server.call(call())
    expect(headers.get('content-security-policy')).toBe(POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    'GARBAGE\r\n\r\n',
    'GET /health HTTP/1.1\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  ])('does so for what the framework never sees: %j', async (bytes) => {
    const socket = await openSocket(server.url)
    socket.send(bytes)
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 400 /)
    expect(socket.text().toLowerCase()).toContain(`content-security-policy: ${POLICY}`)
  })

  it('does so for a stream', async () => {
    const stream = await readStream(`${server.url}/stream?sdk_key=${server.sdkKey}`)
    expect(stream.headers.get('content-security-policy')).toBe(POLICY)
    stream.close()
  })
})

describe('caches', () => {
  it.each([
    ['/api/projects', 'no-store'],
    ['/api/auth/me', 'no-store'],
    ['/api/nothing', 'no-store'],
    ['/api/openapi.json', 'private, no-cache'],
    ['/flags/snapshot', 'private, no-cache'],
  ])('keep of %s: %s', async (path, expected) => {
    const as = path.startsWith('/flags') ? withKey() : 'admin'
    expect((await server.call({ path, as })).headers.get('cache-control')).toBe(expected)
  })

  it('keep no flag, although it has an ETag', async () => {
    const flags = `/api/environments/${server.environments.production}/flags`
    await server.call({ path: flags, body: { key: 'kept', is_enabled: true } })
    const { headers } = await server.call({ path: `${flags}/kept` })
    expect(headers.get('etag')).not.toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

it('signing out makes the browser forget what it kept, but for cookies', async () => {
  const login = await server.call({
    path: '/api/auth/login',
    body: { email: ADMIN.email, password: ADMIN.password },
    as: 'anonymous',
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { headers } = await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })
  expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
})

describe('a write by cookie', () => {
  const rename = (headers: Record<string, string>, as: Call['as'] = 'admin') =>
    server.call({ method: 'PATCH', path: '/api/workspace', body: { workspace_name: 'Acme' }, headers, as })
  const host = () => new URL(server.url).host

  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['anything', 403],
  ])('with Sec-Fetch-Site: %s is %i', async (site, status) => {
    const answer = await rename({ 'sec-fetch-site': site })
    expect(answer.status).toBe(status)
  })

  it.each([
    ['https://evil.example', 403],
    ['https://flags.example.com.evil.example', 403],
    ['null', 403],
    ['https://flags.example.com', 200],
    ['https://flags.example.com:8443', 403],
    ['https://proxy.example.com', 200],
  ])('with Origin: %s is %i', async (origin, status) => {
    const answer = await rename({ origin, 'x-forwarded-host': 'proxy.example.com' })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.error).toContain('PUBLIC_URL')
  })

  it('passes from its own host, and without either header', async () => {
    expect((await rename({ origin: `http://${host()}` })).status).toBe(200)
    expect((await rename({})).status).toBe(200)
  })

  it('passes where Sec-Fetch-Site says that it is its own, whatever Host a proxy left', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://flags.internal.example' }
    expect((await rename(headers)).status).toBe(200)
  })

  it('needs its CSRF header all the same', async () => {
    const { cookie } = server
    const answer = await server.call({
      method: 'PATCH',
      path: '/api/workspace',
      body: { workspace_name: 'Acme' },
      as: 'anonymous',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(403)
  })
})

describe('a page of another site', () => {
  const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

  it('reads by cookie what CORS then keeps from it', async () => {
    expect((await server.call({ path: '/api/projects', headers: FOREIGN })).status).toBe(200)
  })

  it('may use a bearer', async () => {
    const path = `/api/environments/${server.environments.production}/flags`
    const answer = await server.call({
      path,
      body: { key: 'foreign', is_enabled: true },
      headers: FOREIGN,
      as: withKey(),
    })
    expect(answer.status).toBe(200)
  })

  it('cannot sign anybody in, which programs can', async () => {
    const logIn = (headers: Record<string, string>) =>
      server.call({
        path: '/api/auth/login',
        body: { email: ADMIN.email, password: ADMIN.password },
        as: 'anonymous',
        headers,
      })
    expect((await logIn(FOREIGN)).status).toBe(403)
    expect((await logIn({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await logIn({})).status).toBe(200)
    expect((await logIn({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})
