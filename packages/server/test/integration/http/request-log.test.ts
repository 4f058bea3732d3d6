import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { ADMIN, type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LEGACY_KEY = 'legacy-key-canary-0815'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { SDK_KEY: LEGACY_KEY } })
})
afterAll(() => server.close())

interface Line {
  readonly level: string
  readonly msg: string
  readonly request_id?: string
  readonly [field: string]: unknown
}

const lines = (of = server): Line[] =>
  of
    .logged()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Returns the line about the request with this response. */
const lineOf = (answer: Pick<Answer, 'headers'>, of = server): Promise<Line> =>
  eventually(() => lines(of).find(({ request_id }) => request_id === answer.headers.get('x-request-id')))

describe('X-Request-Id', () => {
  it.each([
    ['a read', { path: '/api/auth/me' }],
    ['a refusal', { path: '/api/auth/me', as: 'anonymous' }],
    ['an unknown route', { path: '/api/nothing' }],
    ['a wrong method', { method: 'PUT', path: '/health' }],
    ['an address that cannot be decoded', { path: '/api/%zz' }],
    ['an address that is too long', { path: `/api/projects/${'x'.repeat(400)}` }],
    [
      'a body that is no JSON',
      { path: '/api/projects', body: '{', headers: { 'content-type': 'application/json' } },
    ],
    ['a health check', { path: '/health', as: 'anonymous' }],
    ['a preflight', { method: 'OPTIONS', path: '/stream', as: 'anonymous' }],
  ] as const)(
    'the request id is on the response to %s, and on exactly one line of the log',
    async (_what, call) => {
      const answer = await server.call({ ...call })

      expect(answer.headers.get('x-request-id')).toMatch(UUID)
      const line = await lineOf(answer)
      expect(line).toMatchObject({
        msg: 'request completed',
        status: answer.status,
        took_ms: expect.any(Number),
      })
      const id = answer.headers.get('x-request-id')
      expect(lines().filter(({ request_id }) => request_id === id)).toHaveLength(1)
    },
  )

  it('the request id is created by the server, whatever the caller sends', async () => {
    const headers = { 'x-request-id': 'made-up-by-the-caller', 'request-id': 'made-up-by-the-caller' }
    const answer = await server.call({ path: '/api/auth/me', headers })
    expect(answer.headers.get('x-request-id')).toMatch(UUID)
    await lineOf(answer)
    expect(server.logged()).not.toContain('made-up-by-the-caller')
  })

  it('the request id is on the head of a stream, whose line is written when it opens', async () => {
    const stream = await readStream(`${server.url}/stream?sdk_key=${server.sdkKey}`)
    expect(stream.headers.get('x-request-id')).toMatch(UUID)
    const line = await lineOf(stream)
    expect(line).toMatchObject({
      route: '/stream',
      url: '/stream?sdk_key=[redacted]',
      status: 200,
      actor_kind: 'sdk_key',
    })
    stream.close()
  })

  it('the request id is on a snapshot from memory, different each time', async () => {
    const quiet = await startTestServer({ database: server.database, env: { LOG_LEVEL: 'error' } })
    const ids = []
    for (const _ of [1, 2, 3]) {
      const as = { bearer: server.sdkKey }
      ids.push((await quiet.call({ path: '/flags/snapshot', as })).headers.get('x-request-id'))
    }
    await quiet.close()
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(UUID)
  })

  it('the request id is in the audit entry of a change', async () => {
    const answer = await server.call({
      path: `/api/environments/${server.environments.production}/flags`,
      body: { key: 'audited', is_enabled: true },
    })
    const { metadata } = await server.database.db
      .selectFrom('audit_log')
      .select('metadata')
      .where('flag_key', '=', 'audited')
      .executeTakeFirstOrThrow()
    expect(metadata).toMatchObject({ request_id: answer.headers.get('x-request-id') })
  })
})

describe('the line about a request', () => {
  it('the log line has method, route, address, status and caller, and no e-mail address', async () => {
    const path = `/api/projects/${server.project.id}/environments`
    const line = await lineOf(await server.call({ path: `${path}?x=1` }))
    expect(line).toMatchObject({
      method: 'GET',
      route: '/api/projects/:project_id/environments',
      url: `${path}?x=1`,
      status: 200,
      actor_kind: 'user',
      actor_id: expect.any(Number),
      credential: 'session',
    })
    expect(JSON.stringify(line)).not.toContain(ADMIN.email)
  })

  it("the log line has an SDK key's id, null for the legacy one", async () => {
    const path = '/flags/snapshot'
    expect(await lineOf(await server.call({ path, as: { bearer: server.sdkKey } }))).toMatchObject({
      actor_kind: 'sdk_key',
      actor_id: expect.any(Number),
    })
    expect(await lineOf(await server.call({ path, as: { bearer: LEGACY_KEY } }))).toMatchObject({
      actor_kind: 'sdk_key',
      actor_id: null,
    })
  })

  it('the log line has the caller of a refused request too, if known', async () => {
    const viewer = await addUser(server, { email: 'viewer@example.com' })
    const refused = await server.call({ path: '/api/users', as: { cookie: viewer.cookie } })
    expect(await lineOf(refused)).toMatchObject({ status: 403, actor_kind: 'user', actor_id: viewer.id })
    const unknown = await server.call({ path: '/api/users', as: 'anonymous' })
    expect(await lineOf(unknown)).not.toHaveProperty('actor_kind')
  })

  it('the log line of a 401 has the address of its sender, that of another status does not', async () => {
    const proxied = await startTestServer({ database: server.database, env: { TRUST_PROXY: '1' } })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const refused = [
      { path: '/api/users', as: 'anonymous' },
      { path: '/api/users', as: { bearer: 'pat_of-no-account' } },
      { path: '/flags/snapshot', as: { bearer: 'sk_live_of-no-environment' } },
      { path: '/stream', as: 'anonymous' },
      { path: '/ofrep/v1/evaluate/flags', method: 'POST', body: {}, as: 'anonymous' },
      { path: '/api/auth/login', body: { email: ADMIN.email, password: 'wrong' }, as: 'anonymous' },
    ] as const
    for (const call of refused) {
      const answer = await proxied.call({ ...call, headers })
      expect([call.path, answer.status]).toEqual([call.path, 401])
      expect(await lineOf(answer, proxied)).toMatchObject({ status: 401, address: '203.0.113.9' })
    }
    const direct = await server.call({ path: '/api/users', as: 'anonymous', headers })
    expect((await lineOf(direct)).address).toMatch(/^(127\.0\.0\.1|[0:]+1)$/)
    const read = await proxied.call({ path: '/api/nothing', headers })
    expect(await lineOf(read, proxied)).not.toHaveProperty('address')
    await proxied.close()
  })

  it.each([
    ['debug', 'a read', { path: '/api/auth/me' }],
    ['info', 'a change', { path: '/api/auth/logout', method: 'POST', as: { bearer: LEGACY_KEY } }],
    ['info', 'what a caller did wrong', { path: '/api/nothing' }],
  ] as const)('the log line is at %s for %s', async (level, _what, call) => {
    expect((await lineOf(await server.call({ ...call }))).level).toBe(level)
  })

  it('the log line is written also when the caller leaves before the response', async () => {
    const id = server.environments.production
    await server.database.db.transaction().execute(async (tx) => {
      await tx.selectFrom('environments').select('id').where('id', '=', id).forUpdate().execute()
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      const body = JSON.stringify({ is_enabled: false })
      socket.write(
        `PATCH /api/environments/${id}/flags/audited HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.sdkKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await eventually(async () => {
        const waiting = await server.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.rows.length > 0
      })
      socket.destroy()
      await eventually(() => lines().find(({ method, status }) => method === 'PATCH' && status === 499))
    })
  })
})

describe('credentials are not logged', () => {
  /** An unknown value: what a caller sends by mistake is a secret too. */
  const canary = 'Canary0Secret7Value'
  const key = `sk_live_${canary}`
  const encoded = [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')

  it.each([
    ['a bearer', { path: '/api/auth/me', as: { bearer: key } }],
    ['a personal token', { path: '/api/auth/me', as: { bearer: `pat_${canary}` } }],
    [
      'another scheme',
      { path: '/api/auth/me', as: 'anonymous', headers: { authorization: `Basic ${canary}` } },
    ],
    ['a cookie', { path: '/api/auth/me', as: { cookie: `lg_session=${canary}` } }],
    ['X-API-Key', { path: '/api/auth/me', as: 'anonymous', headers: { 'x-api-key': canary } }],
    ['sdk_key', { path: `/stream?sdk_key=${canary}`, as: 'anonymous' }],
    ['sdk_key, its name encoded', { path: `/stream?%73dk%5Fkey=${canary}`, as: 'anonymous' }],
    ['sdk_key, its name encoded twice', { path: `/stream?%2573dk_key=${canary}`, as: 'anonymous' }],
    ['sdk_key elsewhere', { path: `/api/nothing?a=1&SDK_KEY=${canary}`, as: 'anonymous' }],
    ['sdk_key as an array', { path: `/stream?sdk_key[]=${canary}`, as: 'anonymous' }],
    [
      'sdk_key inside another value',
      { path: `/api/nothing?next=%2Fstream%3Fsdk_key%3D${canary}`, as: 'anonymous' },
    ],
    ['a password in the query', { path: `/api/auth/login?password=${canary}`, as: 'anonymous' }],
    ['a set-up token', { path: `/setup?token=${canary}`, as: 'anonymous' }],
    ['a key under another name', { path: `/stream?k=${key}`, as: 'anonymous' }],
    ['a key under another name, encoded', { path: `/stream?k=${encoded}`, as: 'anonymous' }],
    ['a key in the path', { path: `/api/nothing/${key}`, as: 'anonymous' }],
    ['a key in the path, encoded', { path: `/api/nothing/${encoded}`, as: 'anonymous' }],
    ['a key within a word of the path', { path: `/api/nothing/x_${key}`, as: 'anonymous' }],
    [
      'a password of a login',
      { path: '/api/auth/login', body: { email: 'a@b.c', password: canary }, as: 'anonymous' },
    ],
    [
      'a body that is no JSON',
      {
        path: '/api/auth/login',
        body: `{"password": "${canary}`,
        as: 'anonymous',
        headers: { 'content-type': 'application/json' },
      },
    ],
    [
      'a body of another shape',
      { path: '/api/auth/login', body: { password: [canary], email: canary }, as: 'anonymous' },
    ],
  ] as const)('a credential in %s is not logged', async (_form, call) => {
    const answer = await server.call({ ...call })
    await lineOf(answer)
    const logged = server.logged()
    expect(logged).not.toContain(canary)
    expect(logged.toLowerCase()).not.toContain(encoded.toLowerCase())
  })

  it('a credential is not logged behind a hash, which the router takes for a query too', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', reject).on('data', (bytes) => {
        socket.destroy()
        resolve(bytes.toString())
      })
      socket.write(`GET /stream#sdk_key=${canary} HTTP/1.1\r\nHost: x\r\n\r\n`)
    })
    const id = /x-request-id: (\S+)/i.exec(answer)?.[1]
    expect(id).toMatch(UUID)
    await eventually(() => lines().find(({ request_id }) => request_id === id))
    expect(server.logged()).not.toContain(canary)
  })
})
