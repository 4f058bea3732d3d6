import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionSeal } from '../../../src/platform/crypto/sealed-session.ts'
import { eventually } from '../../harness/eventually.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const SECRET = 'a-session-secret-for-tests-of-32-characters'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const logIn = (email: string, password: string, on = server): Promise<Answer> =>
  on.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

const me = (cookie: string, on = server): Promise<Answer> => on.call({ path: '/api/auth/me', as: { cookie } })

async function freshCookie(): Promise<string> {
  return cookieOf((await logIn(ADMIN.email, ADMIN.password)).headers)
}

describe('POST /api/auth/login', () => {
  test('login responds with 200, the user and a session cookie', async () => {
    const answer = await logIn(ADMIN.email, ADMIN.password)

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      email: ADMIN.email,
      name: ADMIN.name,
      role: 'admin',
      workspace_name: 'Test',
      is_setup_complete: true,
    })
    expect((await me(cookieOf(answer.headers))).body).toEqual(answer.body)
  })

  test('the session cookie is HttpOnly, SameSite=Strict, Secure by default, for all paths and seven days', async () => {
    const cookie = (await logIn(ADMIN.email, ADMIN.password)).headers.getSetCookie()[0] ?? ''

    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=604800',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ])
    expect(cookie).toMatch(/^lg_session=[\w.-]+;/)
  })

  test('login compares e-mails case-insensitively and shows them as entered', async () => {
    const answer = await logIn(ADMIN.email.toUpperCase(), ADMIN.password)

    expect(answer.status).toBe(200)
    expect(answer.body.email).toBe(ADMIN.email)
  })

  test('login needs no CSRF header, not even in a browser with a session', async () => {
    const cookie = await freshCookie()

    const answer = await server.call({
      path: '/api/auth/login',
      body: { email: ADMIN.email, password: ADMIN.password },
      as: 'anonymous',
      headers: { cookie },
    })

    expect(answer.status).toBe(200)
  })

  test.each([
    ['no body', undefined],
    ['no password', { email: ADMIN.email }],
    ['no e-mail', { password: ADMIN.password }],
    ['a password that is no text', { email: ADMIN.email, password: 12345678 }],
    ['an e-mail that is null', { email: null, password: ADMIN.password }],
    ['NUL in the e-mail', { email: 'a\u0000@example.com', password: 'whatever it is' }],
  ])('login with %s is 422', async (_what, body) => {
    const answer = await server.call({ method: 'POST', path: '/api/auth/login', body, as: 'anonymous' })

    expect(answer.status).toBe(422)
  })

  test.each([
    ['an unknown e-mail', () => `${randomUUID()}@example.com`, 'whatever it is'],
    ['an empty e-mail', () => '', 'whatever it is'],
    ['an e-mail of 10,000 characters', () => `${randomUUID()}${'x'.repeat(10_000)}`, 'whatever it is'],
    ['a password of more than 1,024 bytes', () => `${randomUUID()}@example.com`, 'x'.repeat(2_000)],
  ])('login with %s counts as a wrong password', async (_what, email, password) => {
    const answer = await logIn(email(), password)

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: expect.any(String), attempts_remaining: 4 })
  })
})

describe('the session cookie', () => {
  test('GET /api/auth/me without a session is 401', async () => {
    expect((await server.call({ path: '/api/auth/me', as: 'anonymous' })).status).toBe(401)
  })

  test('GET /api/auth/me with an SDK key is 401, because a key is not a user', async () => {
    expect((await server.call({ path: '/api/auth/me', as: { bearer: server.sdkKey } })).status).toBe(401)
  })

  test('an invalid bearer with a valid cookie is 401', async () => {
    const headers = { authorization: 'Bearer sk_live_nonsense' }

    expect((await server.call({ path: '/api/auth/me', headers })).status).toBe(401)
  })

  test('a changed cookie is 401, whatever part was changed', async () => {
    const [name = '', sealed = ''] = (await freshCookie()).split('=')
    const touched = [...sealed].map((char, at) => sealed.slice(0, at) + flip(char) + sealed.slice(at + 1))

    const sample = touched.filter((_, at) => at % 12 === 0)
    for (const value of sample) expect((await me(`${name}=${value}`)).status).toBe(401)
    expect((await me(`${name}=${sealed}`)).status).toBe(200)
  })

  test.each(['', 'x', 'a.b.c', '....', 'x'.repeat(10_000), '%00', '"quoted"'])(
    'the invalid cookie %j is 401',
    async (value) => {
      expect((await me(`lg_session=${value}`)).status).toBe(401)
    },
  )

  test('a correctly sealed cookie without a session is 401', async () => {
    const sealed = await createSessionSeal([SECRET]).seal(randomUUID(), new Date(Date.now() + 60_000))

    expect((await me(`lg_session=${sealed}`)).status).toBe(401)
  })

  test("a cookie sealed with another installation's secret is 401, whatever session it names", async () => {
    const cookie = await freshCookie()
    const { id } = await server.database.db
      .selectFrom('sessions')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const sealed = await createSessionSeal(['another secret']).seal(id, new Date(Date.now() + 60_000))

    expect((await me(`lg_session=${sealed}`)).status).toBe(401)
    expect((await me(cookie)).status).toBe(200)
  })

  test('SESSION_SECRET is a comma list: the first secret seals, all open', async () => {
    const { database } = server
    const oldCookie = await freshCookie()
    const rotated = await startTestServer({
      database,
      env: { SESSION_SECRET: `${'n'.repeat(32)},${SECRET}` },
    })
    const replaced = await startTestServer({ database, env: { SESSION_SECRET: 'n'.repeat(32) } })
    try {
      const newCookie = cookieOf((await logIn(ADMIN.email, ADMIN.password, rotated)).headers)

      expect((await me(oldCookie, rotated)).status).toBe(200)
      expect((await me(newCookie, rotated)).status).toBe(200)
      expect((await me(newCookie, replaced)).status).toBe(200)
      expect((await me(oldCookie, replaced)).status).toBe(401)
      expect((await me(newCookie, server)).status).toBe(401)
    } finally {
      await rotated.close()
      await replaced.close()
      // The data key is now wrapped with the new secret; the servers of the next tests have the old one.
      const back = await startTestServer({ database, env: { SESSION_SECRET: `${SECRET},${'n'.repeat(32)}` } })
      await back.close()
    }
  })

  test('name and role of the user are read on each request', async () => {
    const { db } = server.database
    const cookie = await freshCookie()

    await db
      .updateTable('users')
      .set({ role: 'viewer', name: 'Ada L.' })
      .where('email', '=', ADMIN.email)
      .execute()
    try {
      expect((await me(cookie)).body).toMatchObject({ role: 'viewer', name: 'Ada L.' })
    } finally {
      await db
        .updateTable('users')
        .set({ role: 'admin', name: ADMIN.name })
        .where('email', '=', ADMIN.email)
        .execute()
    }
  })

  test('the cookie is not logged', async () => {
    const cookie = await freshCookie()
    await me(cookie)

    expect(server.logged()).not.toContain(cookie.split('=')[1])
  })
})

describe('POST /api/auth/logout', () => {
  const logOut = (cookie: string) => server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })

  test('logout responds with 204 and clears the cookie', async () => {
    const answer = await logOut(await freshCookie())

    expect(answer.status).toBe(204)
    expect(answer.body).toBe('')
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^lg_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict/,
    )
  })

  test('logout ends the session on every instance: its cookie is 401', async () => {
    const other = await startTestServer({ database: server.database })
    try {
      const cookie = await freshCookie()
      expect((await me(cookie, other)).status).toBe(200)

      await logOut(cookie)

      expect((await me(cookie)).status).toBe(401)
      expect((await me(cookie, other)).status).toBe(401)
      expect((await logOut(cookie)).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  test("logout does not affect the user's other sessions", async () => {
    const [ended, other] = [await freshCookie(), await freshCookie()]

    await logOut(ended)

    expect((await me(other)).status).toBe(200)
  })

  test('logout without X-Flagservice-Request: true is 403 and the session stays', async () => {
    const cookie = await freshCookie()
    const call = (headers: Record<string, string>) =>
      server.call({
        method: 'POST',
        path: '/api/auth/logout',
        as: 'anonymous',
        headers: { cookie, ...headers },
      })

    expect((await call({})).status).toBe(403)
    expect((await call({ 'x-flagservice-request': 'false' })).status).toBe(403)
    expect((await me(cookie)).status).toBe(200)
  })

  test('logout with a bearer needs no CSRF header and ends no session', async () => {
    const answer = await server.call({
      method: 'POST',
      path: '/api/auth/logout',
      as: { bearer: server.sdkKey },
    })

    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    const keys = `/api/projects/${server.project.id}/keys`
    expect((await server.call({ path: keys, as: { bearer: server.sdkKey } })).status).toBe(200)
  })

  test('logout without a credential is 401', async () => {
    expect((await server.call({ method: 'POST', path: '/api/auth/logout', as: 'anonymous' })).status).toBe(
      401,
    )
  })

  test('logout notifies every instance that access has changed', async () => {
    const revision = () =>
      server.database.db.selectFrom('workspace').select('access_revision').executeTakeFirstOrThrow()
    const before = await revision()

    await logOut(await freshCookie())

    const after = await eventually(revision)
    expect(after.access_revision).toBe(before.access_revision + 1)
  })
})

test('GET /api/auth/workspace is public', async () => {
  const answer = await server.call({ path: '/api/auth/workspace', as: 'anonymous' })

  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ workspace_name: 'Test' })
})

test('with COOKIE_SECURE=false the cookie is not Secure', async () => {
  const plain = await startTestServer({ database: server.database, env: { COOKIE_SECURE: 'false' } })
  try {
    const answer = await logIn(ADMIN.email, ADMIN.password, plain)

    expect(answer.headers.get('set-cookie')).not.toContain('Secure')
  } finally {
    await plain.close()
  }
})

const flip = (char: string): string => (char === 'A' ? 'B' : 'A')
