import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { readStream } from '../../harness/read-stream.ts'
import { requireNoLeak } from '../../harness/require-no-leak.ts'
import { createSecretWatch } from '../../harness/secret-watch.ts'
import {
  ADMIN,
  type Call,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const SECRET = 'pass "word" & 100% sure?'
const newPassword = () => `of this test ${randomBytes(9).toString('base64url')}`
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('finding leaked secrets', () => {
  test.each([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['in a query, with + for a blank', new URLSearchParams({ note: SECRET }).toString()],
    ['in JSON', JSON.stringify({ note: SECRET })],
    ['in base64', base64(SECRET)],
    ['in base64 behind one byte more', base64(`:${SECRET}.`)],
    ['in base64 behind two bytes more', base64(`::${SECRET}.`)],
    ['in base64url', Buffer.from(`${SECRET}????`).toString('base64url')],
    ['as hex', Buffer.from(SECRET).toString('hex')],
  ])('a leaked secret is found: %s', (_how, text) => {
    const watch = createSecretWatch()
    watch.watch(SECRET, 'password')

    expect(watch.findIn([{ place: 'the log', text: `before ${text} after` }])).toEqual([
      expect.stringMatching(/^password in the log: before .*<here>.* after$/),
    ])
    expect(watch.findIn([{ place: 'the log', text: 'before and after' }])).toEqual([])
  })

  test('the finding of a leaked secret does not contain it', () => {
    const watch = createSecretWatch()
    watch.watch(SECRET, 'password')

    expect(watch.findIn([{ place: 'the log', text: `<${SECRET}>` }]).join()).not.toContain(SECRET)
  })
})

describe('leaked secrets fail the close of a server', () => {
  test.each([
    [
      'into the log',
      /secret in the log/,
      async (server: TestServer) => {
        const [line = ''] = server.logged().split('\n')
        server.watchSecret(line.slice(1, -1))
      },
    ],
    [
      'into an error body',
      /secret in an error body/,
      async (server: TestServer) => {
        const { body } = await server.call({ path: '/api/nowhere' })
        server.watchSecret(body.error)
      },
    ],
    [
      'into an audit row',
      /password in table public.audit_log/,
      async ({ database }: TestServer) => plantInAudit(database, { note: { deep: [ADMIN.password] } }),
    ],
    [
      'into an audit row, as a key in a URL',
      /key or token in table public.audit_log/,
      async ({ database, sdkKey }: TestServer) =>
        plantInAudit(database, { url: `/stream?sdk_key=${sdkKey}` }),
    ],
    [
      'into the outbox',
      /session cookie in table public.domain_events/,
      async ({ cookie, database, environments, project }: TestServer) => {
        const event = { project_id: project.id, environment_id: environments.production }
        await database.pool.query(
          `insert into domain_events (project_id, environment_id, type, data, created_at) values ($1, $2, 'x', $3, now())`,
          [event.project_id, event.environment_id, JSON.stringify({ cookie })],
        )
      },
    ],
    [
      'as a password hash outside its column',
      /password hash in table public.workspace/,
      async ({ database }: TestServer) => {
        await database.pool.query('update workspace set workspace_name = (select password_hash from users)')
      },
    ],
    [
      'as the session secret',
      /SESSION_SECRET in table public.workspace/,
      async ({ database }: TestServer) => {
        await database.pool.query('update workspace set workspace_name = $1', [
          'a-session-secret-for-tests-of-32-characters',
        ])
      },
    ],
  ])('a leak fails the close: %s', async (_where, message, plant) => {
    const server = await startTestServer()

    await plant(server)

    await expect(server.close()).rejects.toThrow(message)
  })

  test('a leak in a row of any table fails the close, whatever its schema', async () => {
    const database = await createTestDatabase({ from: 'empty' })
    const watch = createSecretWatch()
    watch.watch(SECRET, 'webhook URL')
    try {
      await database.pool.query('create schema later; create table later."Odd name" (note text, raw bytea)')
      await requireNoLeak(watch, { log: '', errorBodies: [] }, database.pool)
      await database.pool.query('insert into later."Odd name" (raw) values ($1)', [Buffer.from(SECRET)])

      const check = requireNoLeak(watch, { log: '', errorBodies: [] }, database.pool)
      await expect(check).rejects.toThrow(/webhook URL in table later."Odd name"/)
    } finally {
      await database.drop()
    }
  })
})

describe('secrets in the wrong place', () => {
  let server: TestServer
  let password: string
  let secrets: readonly (readonly [string, string])[]

  beforeAll(async () => {
    server = await startTestServer({
      env: { LOG_LEVEL: 'trace', SDK_KEY: 'sk_live_legacy-of-the-tests-0123456789' },
    })
    password = newPassword()
    const user = { name: 'Grace', email: 'grace@example.com', role: 'viewer', password }
    await server.call({ path: '/api/users', body: user })
    const login = await server.call({
      path: '/api/auth/login',
      body: { email: user.email, password },
      as: 'anonymous',
    })
    const token = await server.call({ path: '/api/tokens', body: { name: 'CI', scope: 'read_write' } })
    secrets = [
      ['password', password],
      ['SDK key', server.sdkKey],
      ['legacy SDK key', 'sk_live_legacy-of-the-tests-0123456789'],
      ['token', token.body.token],
      ['session', cookieOf(login.headers).replace('lg_session=', '')],
    ]
  })
  // The purpose of this file: closing checks for each of them.
  afterAll(() => server.close())

  test('a secret in the wrong place is watched', () => {
    for (const [name, secret] of secrets) {
      expect(secret.length, name).toBeGreaterThan(20)
      expect(server.database.secrets.findIn([{ place: 'here', text: secret }]), name).toHaveLength(1)
    }
  })

  const expectHidden = async (call: (secret: string) => Partial<Call>, sent = secrets) => {
    const already = server.logged().length
    for (const [, secret] of sent) {
      const answer = await server.call({ path: '/api/auth/me', as: 'anonymous', ...call(secret) })

      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
    expect(
      server.database.secrets.findIn([{ place: 'the log', text: server.logged().slice(already) }]),
    ).toEqual([])
  }

  test.each<[string, (secret: string) => Partial<Call>]>([
    ['?sdk_key=', (secret: string) => ({ path: `/flags/snapshot?sdk_key=${encodeURIComponent(secret)}` })],
    [
      '?sdk_key= twice',
      (secret: string) => ({ path: `/stream?sdk_key=x&sdk_key=${encodeURIComponent(secret)}` }),
    ],
    ['?token=', (secret: string) => ({ path: `/api/nowhere?token=${encodeURIComponent(secret)}` })],
    ['?password=', (secret: string) => ({ path: `/login?email=x&password=${encodeURIComponent(secret)}` })],
    [
      'another scheme',
      (secret: string) => ({ headers: { authorization: `Basic ${base64(`ada:${secret}`)}` } }),
    ],
    ['a wrong bearer', (secret: string) => ({ as: { bearer: base64(secret) } })],
    ['a cookie', (secret: string) => ({ as: { cookie: `lg_session=${encodeURIComponent(secret)}x` } })],
    ['X-API-Key', (secret: string) => ({ headers: { 'x-api-key': secret } })],
    ['If-Match', (secret: string) => ({ headers: { 'if-match': secret } })],
    ['X-Request-Id', (secret: string) => ({ headers: { 'x-request-id': secret } })],
    [
      'a body cut short',
      (secret: string) => ({ ...JSON_LOGIN, body: `{"password":${JSON.stringify(secret)}` }),
    ],
    ['a body that is no JSON', (secret: string) => ({ ...JSON_LOGIN, body: secret })],
    ['a form', (secret: string) => ({ ...FORM_LOGIN, body: `password=${secret}` })],
    ['a list of passwords', (secret: string) => ({ path: LOGIN, body: { email: 'x', password: [secret] } })],
    ['the name of a field', (secret: string) => ({ path: LOGIN, body: { [secret]: null, password: 1 } })],
    [
      'a user without a name',
      (secret: string) => ({ path: '/api/users', as: 'admin', body: { password: secret } }),
    ],
  ])('a secret in %s is not in the log or an error body', async (_where, call) => {
    await expectHidden(call)
  })

  // A password in a path looks like any path.
  test.each([
    ['a path', (secret: string) => ({ path: `/api/environments/${secret}/flags` })],
    ['an unknown path', (secret: string) => ({ path: `/nowhere/${secret}` })],
    ['a path that cannot be decoded', (secret: string) => ({ path: `/api/${secret}/%ff` })],
    ['a query', (secret: string) => ({ path: `/api/auth/me?api_key=${secret}` })],
  ])('a key, a token or a session in %s is not in the log or an error body', async (_where, call) => {
    const recognizable = secrets.filter(([name]) => name !== 'password')

    await expectHidden(call, recognizable)
  })

  test('a secret in its proper place is not logged either', async () => {
    const already = server.logged().length
    const user = await addUser(server, { email: 'joan@example.com' })
    const stream = await readStream(`${server.url}/stream?sdk_key=${encodeURIComponent(server.sdkKey)}`)
    await stream.until(({ event }) => event === 'ready')
    stream.close()

    expect((await server.call({ path: '/api/auth/me', as: { cookie: user.cookie } })).status).toBe(200)
    expect(
      server.database.secrets.findIn([{ place: 'the log', text: server.logged().slice(already) }]),
    ).toEqual([])
  })
})

const LOGIN = '/api/auth/login'
const JSON_LOGIN = { path: LOGIN, headers: { 'content-type': 'application/json' } }
const FORM_LOGIN = { path: LOGIN, headers: { 'content-type': 'application/x-www-form-urlencoded' } }

async function plantInAudit({ pool }: TestDatabase, metadata: object): Promise<void> {
  await pool.query(
    `insert into audit_log (actor_email, action, metadata, created_at) values ('x', 'create', $1, now())`,
    [JSON.stringify(metadata)],
  )
}
