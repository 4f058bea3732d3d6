import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser, signIn } from '../../harness/add-user.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { ADMIN, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const METRICS_TOKEN = 'metrics-token-of-the-authentication-events'

let server: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ env: { METRICS_TOKEN, TRUST_PROXY: '1' } })
})
afterAll(() => server.close())

interface Entry {
  readonly action: string
  readonly actor_email: string
  readonly metadata: Readonly<Record<string, unknown>>
}

const newUser = (role: 'viewer' | 'admin' = 'viewer') => {
  made += 1
  return addUser(server, { email: `proof-${made}@example.com`, role })
}

/** Returns the events of an actor, the oldest first. */
async function eventsOf(actor: string, action = 'auth.'): Promise<Entry[]> {
  const path = `/api/audit?action=${action}&actor=${encodeURIComponent(actor)}&limit=200`
  return (await server.call({ path })).body.toReversed()
}

const actions = (entries: readonly Entry[]) => entries.map(({ action }) => action)

const logIn = (email: string, password: string, address = '198.51.100.7') =>
  server.call({
    path: '/api/auth/login',
    body: { email, password },
    as: 'anonymous',
    headers: { 'user-agent': 'Browser of the tests', 'x-forwarded-for': address },
  })

async function counted(metric: string): Promise<number> {
  const { body } = await server.call({ path: '/metrics', as: { bearer: METRICS_TOKEN } })
  const line = String(body)
    .split('\n')
    .find((text) => text.startsWith(`burgee_${metric} `))
  return Number(line?.split(' ').at(-1))
}

describe('authentication events', () => {
  test('logins, confirmations and logouts are entries with address, browser and credential', async () => {
    const { email, id } = await newUser()
    const cookie = (await logIn(email, ADMIN.password)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const confirm = { path: '/api/auth/reauthenticate', body: { password: ADMIN.password } }
    const confirmed = await server.call({ ...confirm, as: { cookie } })
    expect(confirmed.status).toBe(204)
    const next = confirmed.headers.get('set-cookie')?.split(';')[0] ?? ''
    await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie: next } })

    const entries = await eventsOf(email)
    expect(actions(entries)).toEqual(['auth.login', 'auth.login', 'auth.reauthenticate', 'auth.logout'])
    expect(entries[1]).toMatchObject({
      actor_email: email,
      metadata: {
        origin: 'direct',
        resource: `user:${id}`,
        method: 'password',
        address: '198.51.100.7',
        user_agent: 'Browser of the tests',
        credential: { kind: 'session', id: expect.any(String) },
      },
    })
  })

  test('the first failure is an entry, a lock too; what was entered is in none', async () => {
    const { email, id } = await newUser()
    const before = await counted('logins_total{result="wrong"}')
    server.watchSecret('a password that is wrong')
    for (let attempt = 0; attempt < 6; attempt += 1) await logIn(email, 'a password that is wrong')

    await eventually(async () => (await eventsOf(email, 'auth.locked')).length === 1)
    const failed = await eventsOf(email, 'auth.login_failed')
    expect(failed.map(({ metadata: { count, reason } }) => [reason, count])).toEqual([
      ['wrong', 1],
      ['limited', 1],
    ])
    expect(failed[0]?.metadata).toMatchObject({ resource: `user:${id}`, address: '198.51.100.7' })
    expect(await counted('logins_total{result="wrong"}')).toBe(before + 5)
    expect(await counted('logins_total{result="limited"}')).toBeGreaterThan(0)
  })

  test('an e-mail without an account is not stored: it may be a password', async () => {
    const typed = 'my-secret-password@example.com'
    await logIn(typed, 'x', '198.51.100.99')
    await eventually(async () =>
      (await eventsOf('unknown')).some(({ metadata }) => metadata.address === '198.51.100.99'),
    )
    const { rows } = await server.database.pool.query(
      'select count(*)::int as found from audit_log where strpos(metadata::text || actor_email, $1) > 0',
      [typed],
    )
    expect(rows).toEqual([{ found: 0 }])
  })

  test('a wrong confirmation, a wrong link and a disabled account are failures', async () => {
    const user = await newUser()
    const wrong = { path: '/api/auth/reauthenticate', body: { password: 'wrong' }, as: user }
    expect((await server.call(wrong)).status).toBe(403)
    await server.call({ method: 'POST', path: `/api/users/${user.id}/disable` })
    await logIn(user.email, ADMIN.password)
    const link = { token: 'unknown', password: 'a long password' }
    await server.call({ path: '/api/auth/links/redeem', body: link, as: 'anonymous' })

    await eventually(async () => (await eventsOf('unknown', 'auth.link_failed')).length > 0)
    const reasons = (await eventsOf(user.email))
      .filter(({ action }) => action.endsWith('_failed'))
      .map(({ action, metadata }) => [action, metadata.reason])
    expect(reasons).toEqual([
      ['auth.reauthenticate_failed', 'wrong'],
      ['auth.login_failed', 'disabled'],
    ])
  })

  test('a token and a key that were silent for 30 days are an entry, once', async () => {
    const { email, id } = await newUser()
    const { db } = server.database
    const { id: token_id, token } = await insertToken({ server }, { user_id: id })
    const recent = await insertToken({ server }, { user_id: id })
    const last_used_at = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await db.updateTable('access_tokens').set({ last_used_at }).where('id', '=', token_id).execute()
    await db.updateTable('sdk_keys').set({ last_used_at }).execute()
    for (const bearer of [token, token, recent.token]) {
      expect((await server.call({ path: '/api/auth/me', as: { bearer } })).status).toBe(200)
    }
    await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    const silent = async () =>
      (await server.call({ path: '/api/audit?action=auth.used_after_silence' })).body as Entry[]
    await eventually(async () => (await silent()).length === 2)
    const byToken = (await eventsOf(email, 'auth.used_after_silence'))[0]
    expect(byToken?.metadata).toMatchObject({
      resource: `access_token:${token_id}`,
      credential: { kind: 'access_token', id: token_id },
      last_used_at,
      address: expect.any(String),
    })
    const byKey = (await silent()).find(({ actor_email }) => actor_email.startsWith('sdk-key:'))
    expect(byKey?.metadata).toMatchObject({ credential: { kind: 'sdk_key', id: expect.any(Number) } })
  })

  test('refused bearers are counted', async () => {
    const before = await counted('bearers_refused_total{kind="token",reason="unknown"}')
    const bearer = `pat_${randomUUID().replaceAll('-', '')}`
    expect((await server.call({ path: '/api/auth/me', as: { bearer } })).status).toBe(401)
    expect(await counted('bearers_refused_total{kind="token",reason="unknown"}')).toBe(before + 1)
  })
})

describe('many failures', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  test('they are counted, and the count is stored when the server ends', async () => {
    const attacked = await startTestServer({ database })
    const body = { email: ADMIN.email, password: 'wrong' }
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await attacked.call({ path: '/api/auth/login', body, as: 'anonymous' })
    }
    await attacked.close()
    const { rows } = await database.pool.query(
      `select action, metadata ->> 'reason' as reason, (metadata ->> 'count')::int as count
       from audit_log where action in ('auth.login_failed', 'auth.locked') order by id`,
    )
    const sum = (reason: string) =>
      rows.filter((row) => row.reason === reason).reduce((total, { count }) => total + count, 0)
    expect([sum('wrong'), sum('limited'), sum('too_many_failures')]).toEqual([5, 15, 1])
    expect(rows.length).toBeLessThanOrEqual(5)
  })

  test('a login is one entry and costs no failure', async () => {
    const { email } = await newUser()
    await signIn(server, email)
    expect(actions(await eventsOf(email))).toEqual(['auth.login', 'auth.login'])
  })
})
