import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { cookieOf, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const SECRET = 'a-session-secret-for-tests-of-32-characters'
const TOKEN = 'the-token-of-the-operator'
const PASSWORD = 'correct horse battery'

let database: TestDatabase
let started: TestServer[]

beforeEach(async () => {
  database = await createTestDatabase()
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((server) => server.close()))
  await database.drop()
})

/** Starts an instance on the test's database; with `TOKEN` as its set-up token unless `env` replaces it. */
async function start(env: Record<string, string> = {}, clock = createManualClock()): Promise<TestServer> {
  const server = await startTestServer({
    fullPasswordCost: true,
    database,
    clock,
    setUp: false,
    env: { SETUP_TOKEN: TOKEN, ...env },
  })
  started.push(server)
  return server
}

async function stop(server: TestServer): Promise<void> {
  started = started.filter((other) => other !== server)
  await server.close()
}

const input = (changes: object = {}, admin: object = {}) => ({
  workspace_name: 'Harbour',
  project_name: 'Web Shop',
  admin: { name: 'Ada', email: 'Ada@Example.com', password: PASSWORD, ...admin },
  ...changes,
})

const ask = (server: TestServer, token?: string, headers: Record<string, string> = {}) =>
  server.call({ path: '/api/setup', as: token === undefined ? 'anonymous' : { bearer: token }, headers })

const complete = (server: TestServer, body: unknown = input(), token: string | null = TOKEN) =>
  server.call({
    method: 'POST',
    path: '/api/setup',
    body,
    as: token === null ? 'anonymous' : { bearer: token },
  })

const logIn = (server: TestServer, email: string, password: string) =>
  server.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

/** Returns the token in the URL that an instance printed. */
function printedToken(server: TestServer): string {
  const token = /\/setup\?token=([\w-]+)/.exec(server.printed.join('\n'))?.[1]
  if (token === undefined) throw new Error(`no set-up URL was printed: ${server.printed.join('\n')}`)
  return token
}

const count = async (table: 'users' | 'projects' | 'environments' | 'sdk_keys'): Promise<number> => {
  const rows = await database.db.selectFrom(table).select('id').execute()
  return rows.length
}

test('the response of setup says how long a new token may live, like that of a login', async () => {
  const { body } = await complete(await start({ TOKEN_MAX_DAYS: '30' }))

  expect(body.user).toMatchObject({ email: 'Ada@Example.com', token_max_days: 30 })
})

describe('the set-up token', () => {
  test('a fresh database prints a ready-to-open URL with a random token, which opens the wizard', async () => {
    const server = await start({ SETUP_TOKEN: '' })

    expect(server.printed.join('\n')).toContain(`${server.url}/setup?token=`)
    const answer = await ask(server, printedToken(server))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ is_setup_complete: false })
  })

  test('only the hash of the set-up token is stored, and it is not logged', async () => {
    const server = await start({ SETUP_TOKEN: '' })
    const token = printedToken(server)
    await ask(server, token)
    await server.call({ path: `/setup?token=${token}`, as: 'anonymous' })

    const workspace = await database.db.selectFrom('workspace').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(workspace)).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  test('instances that start together share one set-up token', async () => {
    const [one, two] = await Promise.all([start({ SETUP_TOKEN: '' }), start({ SETUP_TOKEN: '' })])

    expect(printedToken(one)).toBe(printedToken(two))
    expect((await ask(two, printedToken(one))).status).toBe(200)
  })

  test('a restart before set-up prints the same URL, also after a rotation of SESSION_SECRET', async () => {
    const first = await start({ SETUP_TOKEN: '' })
    const token = printedToken(first)
    await stop(first)

    const second = await start({ SETUP_TOKEN: '', SESSION_SECRET: `${'n'.repeat(32)},${SECRET}` })

    expect(printedToken(second)).toBe(token)
    expect((await ask(second, token)).status).toBe(200)
  })

  test('a restart with another SESSION_SECRET prints a new URL, and that one works', async () => {
    const first = await start({ SETUP_TOKEN: '' })
    const token = printedToken(first)
    await stop(first)

    const second = await start({ SETUP_TOKEN: '', SESSION_SECRET: 'n'.repeat(32) })

    expect(printedToken(second)).not.toBe(token)
    expect((await ask(second, printedToken(second))).status).toBe(200)
    expect((await ask(second, token)).status).toBe(401)
  })

  test('SETUP_TOKEN is the token on every instance, and is never printed', async () => {
    const [one, two] = [await start(), await start()]

    expect((await ask(one, TOKEN)).status).toBe(200)
    expect((await ask(two, TOKEN)).status).toBe(200)
    expect(one.printed.join('\n')).toContain(`${one.url}/setup`)
    expect(one.printed.join('\n') + one.logged()).not.toContain(TOKEN)
  })

  test('two databases never share a generated set-up token', async () => {
    const server = await start({ SETUP_TOKEN: '' })
    const other = await startTestServer({ setUp: false, env: { SETUP_TOKEN: '' } })
    try {
      expect(printedToken(other)).not.toBe(printedToken(server))
    } finally {
      await other.close()
    }
  })
})

describe('access before set-up', () => {
  test.each([
    ['no token', undefined],
    ['a wrong token', 'wrong'],
    ['a longer token', `${TOKEN}x`],
    ['a shorter token', TOKEN.slice(0, -1)],
    ['the token in another case', TOKEN.toUpperCase()],
  ])('GET and POST /api/setup with %s are 401', async (_what, token) => {
    const server = await start()

    expect((await ask(server, token)).status).toBe(401)
    expect((await complete(server, input(), token ?? null)).status).toBe(401)
    expect(await count('users')).toBe(0)
  })

  test('the set-up token opens nothing else', async () => {
    const server = await start()

    for (const path of ['/api/projects', '/api/auth/me', '/flags/snapshot']) {
      expect((await server.call({ path, as: { bearer: TOKEN } })).status).toBe(401)
    }
  })

  test('the set-up token is not read from the query or another scheme', async () => {
    const server = await start()
    const call = (path: string, headers: Record<string, string> = {}) =>
      server.call({ path, as: 'anonymous', headers })

    expect((await call(`/api/setup?token=${TOKEN}`)).status).toBe(401)
    expect((await call('/api/setup', { authorization: `Basic ${TOKEN}` })).status).toBe(401)
    expect((await call('/api/setup', { authorization: TOKEN })).status).toBe(401)
  })

  test('ten wrong set-up tokens a minute from one address are followed by 429, with the right token too', async () => {
    const clock = createManualClock()
    const server = await start({ TRUST_PROXY: 'true' }, clock)
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const wrong = await Promise.all(Array.from({ length: 15 }, () => ask(server, 'wrong', from('192.0.2.1'))))
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(5)

    const refused = await ask(server, TOKEN, from('192.0.2.1'))

    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ error: expect.any(String), retry_after_seconds: 60 })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await ask(server, TOKEN, from('192.0.2.2'))).status).toBe(200)
    clock.advance(60_000)
    expect((await ask(server, TOKEN, from('192.0.2.1'))).status).toBe(200)
  })

  test('a missing set-up token does not count as wrong', async () => {
    const server = await start()
    for (let asked = 0; asked < 12; asked += 1) await ask(server)

    expect((await ask(server, TOKEN)).status).toBe(200)
  })
})

describe('POST /api/setup', () => {
  test('POST /api/setup responds with 200, the user, the project, its environments and the full key', async () => {
    const server = await start()

    const { body, status } = await complete(server)

    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['environments', 'project', 'sdk_key', 'user'])
    expect(body.user).toEqual({
      email: 'Ada@Example.com',
      name: 'Ada',
      role: 'admin',
      workspace_name: 'Harbour',
      is_setup_complete: true,
    })
    expect(body.project).toEqual({
      id: expect.any(String),
      name: 'Web Shop',
      slug: 'web-shop',
      environment_count: 3,
      member_count: 0,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual([
      'Production',
      'Staging',
      'Development',
    ])
    expect(body.sdk_key).toMatchObject({
      key: expect.stringMatching(/^sk_live_/),
      environment_name: 'Production',
    })
  })

  test('POST /api/setup signs the admin in, and the key works at once', async () => {
    const server = await start()

    const { body, headers } = await complete(server)

    const me = await server.call({ path: '/api/auth/me', as: { cookie: cookieOf(headers) } })
    expect(me.body).toEqual(body.user)
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: body.sdk_key.key } })
    expect(snapshot.body).toEqual([])
    expect((await logIn(server, 'ada@example.com', PASSWORD)).body).toEqual(body.user)
    expect((await server.call({ path: '/api/auth/workspace', as: 'anonymous' })).body).toEqual({
      workspace_name: 'Harbour',
    })
  })

  test('after set-up GET responds with true and POST is 409, with and without the token, on every instance', async () => {
    const [one, two] = [await start(), await start()]
    await complete(one)

    for (const server of [one, two]) {
      for (const token of [undefined, TOKEN, 'wrong']) {
        const state = await ask(server, token)
        expect([state.status, state.body]).toEqual([200, { is_setup_complete: true }])
        expect((await complete(server, input(), token ?? null)).status).toBe(409)
      }
    }
    expect(await count('users')).toBe(1)
  })

  test('of many concurrent set-ups over two instances one creates the admin, the others get 409', async () => {
    const [one, two] = [await start(), await start()]

    const answers = await Promise.all(
      [one, two, one, two, one, two].map((server, index) =>
        complete(server, input({ project_name: `Project ${index}` }, { email: `admin${index}@example.com` })),
      ),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await count('users')).toBe(1)
    expect(await count('projects')).toBe(1)
    expect(await count('environments')).toBe(3)
    expect(await count('sdk_keys')).toBe(1)
  })

  test('set-up is atomic', async () => {
    const server = await start()
    const { db } = database
    await db
      .insertInto('projects')
      .values({ id: crypto.randomUUID(), name: 'Taken', slug: 'web-shop' })
      .execute()

    expect((await complete(server)).status).toBe(409)

    expect(await count('users')).toBe(0)
    expect(await count('environments')).toBe(0)
    expect((await ask(server, TOKEN)).body).toEqual({ is_setup_complete: false })
    expect((await complete(server, input({ project_name: 'Another' }))).status).toBe(200)
  })

  test.each([
    ['8 characters', '12345678'],
    ['1,024 bytes', 'x'.repeat(1024)],
    ['8 characters outside ASCII', 'äöüßéèêë'],
  ])('set-up accepts a password of %s', async (_what, password) => {
    const server = await start()

    expect((await complete(server, input({}, { password }))).status).toBe(200)
    expect((await logIn(server, 'ada@example.com', password)).status).toBe(200)
  })

  test('set-up is in the audit log, without a secret', async () => {
    const server = await start()
    const { body } = await complete(server)

    const entries = await database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .selectAll()
      .orderBy('id')
      .execute()

    expect(
      entries.map(({ action, actor_email, metadata }) => ({ action, actor_email, metadata })),
    ).toContainEqual({
      action: 'create',
      actor_email: 'Ada@Example.com',
      metadata: { origin: 'direct', resource: `project:${body.project.id}` },
    })
    const text = JSON.stringify(entries)
    for (const secret of [PASSWORD, '$argon2', body.sdk_key.key, TOKEN]) expect(text).not.toContain(secret)
  })

  test('set-up stores the password as argon2id', async () => {
    const server = await start()
    await complete(server)

    const user = await database.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()

    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(server.logged()).not.toContain(PASSWORD)
  })
})

describe('unattended set-up', () => {
  const unattended = {
    SETUP_TOKEN: '',
    SETUP_ADMIN_EMAIL: 'ops@example.com',
    SETUP_ADMIN_PASSWORD: PASSWORD,
    SETUP_ADMIN_NAME: 'Ops',
    SETUP_WORKSPACE_NAME: 'Dock',
    SETUP_PROJECT_NAME: 'Ferry',
    SETUP_SDK_KEY: 'sk_live_chosen_by_the_operator_0123456789',
  }

  test('the settings complete set-up of a fresh database', async () => {
    const server = await start(unattended)

    expect((await ask(server)).body).toEqual({ is_setup_complete: true })
    expect(server.printed.join('\n')).not.toContain('/setup')
    const login = await logIn(server, 'ops@example.com', PASSWORD)
    expect(login.body).toEqual({
      email: 'ops@example.com',
      name: 'Ops',
      role: 'admin',
      workspace_name: 'Dock',
      is_setup_complete: true,
    })
    const projects = await server.call({ path: '/api/projects', as: { cookie: cookieOf(login.headers) } })
    expect(projects.body).toMatchObject([{ name: 'Ferry', environment_count: 3 }])
    const bearer = unattended.SETUP_SDK_KEY
    expect((await server.call({ path: '/flags/snapshot', as: { bearer } })).status).toBe(200)
  })

  test('unattended set-up needs only e-mail and password', async () => {
    const { SETUP_ADMIN_EMAIL, SETUP_ADMIN_PASSWORD } = unattended
    const server = await start({ SETUP_TOKEN: '', SETUP_ADMIN_EMAIL, SETUP_ADMIN_PASSWORD })

    expect((await logIn(server, SETUP_ADMIN_EMAIL, SETUP_ADMIN_PASSWORD)).status).toBe(200)
    expect(await count('sdk_keys')).toBe(1)
  })

  test('a password that attackers try first is accepted with a warning, and the log names no one', async () => {
    const words = { PASSWORD_WORDS: 'Harbour', SETUP_ADMIN_PASSWORD: 'harbour2026' }
    const server = await start({ ...unattended, ...words, LOG_LEVEL: 'info' })

    expect(server.logged()).toContain(
      'SETUP_ADMIN_PASSWORD: The password is made of words of this organization',
    )
    expect(server.logged()).not.toContain(unattended.SETUP_ADMIN_EMAIL)
  })

  test('instances that start together create one admin and one project', async () => {
    const servers = await Promise.all([start(unattended), start(unattended)])

    for (const server of servers) {
      expect((await logIn(server, 'ops@example.com', PASSWORD)).status).toBe(200)
    }
    expect(await count('users')).toBe(1)
    expect(await count('projects')).toBe(1)
  })

  test('unattended set-up does not change a workspace after set-up', async () => {
    const first = await start()
    await complete(first)
    await stop(first)

    const second = await start(unattended)

    expect((await logIn(second, 'ops@example.com', PASSWORD)).status).toBe(401)
    expect((await logIn(second, 'ada@example.com', PASSWORD)).status).toBe(200)
    expect(second.printed.join('\n')).not.toContain('/setup')
  })
})
