import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../../harness/open-socket.ts'
import { readStream } from '../../harness/read-stream.ts'
import { ADMIN, type Call, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const POLICY = "default-src 'none'; frame-ancestors 'none'"

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { PUBLIC_URL: 'https://flags.example.com', TRUST_PROXY: '127.0.0.1' },
  })
})
afterAll(() => server.close())

const withKey = () => ({ bearer: server.sdkKey })

describe('security headers of every response', () => {
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

  it.each(answers)('browsers may not load, run or frame anything: %s', async (_what, call) => {
    const { headers } = await server.call(call())
    expect(headers.get('content-security-policy')).toBe(POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    'GARBAGE\r\n\r\n',
    'GET /health HTTP/1.1\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  ])('responses without the framework have the security headers: %j', async (bytes) => {
    const socket = await openSocket(server.url)
    socket.send(bytes)
    await socket.closed
    expect(socket.text()).toMatch(/^HTTP\/1\.1 400 /)
    expect(socket.text().toLowerCase()).toContain(`content-security-policy: ${POLICY}`)
  })

  it('a stream has the security headers', async () => {
    const stream = await readStream(`${server.url}/stream?sdk_key=${server.sdkKey}`)
    expect(stream.headers.get('content-security-policy')).toBe(POLICY)
    stream.close()
  })
})

describe('caching headers', () => {
  it.each([
    ['/api/projects', 'no-store'],
    ['/api/auth/me', 'no-store'],
    ['/api/nothing', 'no-store'],
    ['/api/openapi.json', 'private, no-cache'],
    ['/flags/snapshot', 'private, no-cache'],
  ])('caches keep of %s: %s', async (path, expected) => {
    const as = path.startsWith('/flags') ? withKey() : 'admin'
    expect((await server.call({ path, as })).headers.get('cache-control')).toBe(expected)
  })

  it('caches keep no flags, although they have an ETag', async () => {
    const flags = `/api/environments/${server.environments.production}/flags`
    await server.call({ path: flags, body: { key: 'kept', is_enabled: true } })
    const { headers } = await server.call({ path: `${flags}/kept` })
    expect(headers.get('etag')).not.toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

it("signing out clears the browser's data except for cookies", async () => {
  const login = await server.call({
    path: '/api/auth/login',
    body: { email: ADMIN.email, password: ADMIN.password },
    as: 'anonymous',
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { headers } = await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })
  expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
})

describe('writes with a cookie', () => {
  const rename = (headers: Record<string, string>, as: Call['as'] = 'admin') =>
    server.call({ method: 'PATCH', path: '/api/workspace', body: { workspace_name: 'Acme' }, headers, as })
  const host = () => new URL(server.url).host

  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['anything', 403],
  ])('a write with Sec-Fetch-Site: %s is %i', async (site, status) => {
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
  ])('a write with Origin: %s is %i', async (origin, status) => {
    const answer = await rename({ origin, 'x-forwarded-host': 'proxy.example.com' })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.error).toContain('PUBLIC_URL')
  })

  it('a write with a cookie is accepted from its own host, and without either header', async () => {
    expect((await rename({ origin: `http://${host()}` })).status).toBe(200)
    expect((await rename({})).status).toBe(200)
  })

  it('a write with a cookie is accepted when Sec-Fetch-Site is the same origin, whatever Host a proxy sends', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://flags.internal.example' }
    expect((await rename(headers)).status).toBe(200)
  })

  it('a write with a cookie always needs its CSRF header', async () => {
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

describe('pages of another site', () => {
  const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

  it('CORS prevents a page of another site from reading with a cookie', async () => {
    expect((await server.call({ path: '/api/projects', headers: FOREIGN })).status).toBe(200)
  })

  it('a page of another site may use a bearer', async () => {
    const path = `/api/environments/${server.environments.production}/flags`
    const answer = await server.call({
      path,
      body: { key: 'foreign', is_enabled: true },
      headers: FOREIGN,
      as: withKey(),
    })
    expect(answer.status).toBe(200)
  })

  it('a page of another site cannot sign a user in, unlike programs', async () => {
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
