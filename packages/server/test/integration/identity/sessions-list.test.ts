import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser, signIn, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { isWaitingForALock } from '../../harness/is-waiting-for-a-lock.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream } from '../../harness/read-stream.ts'
import {
  ADMIN,
  type As,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const clock = createManualClock()
let server: TestServer
let second: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ clock })
  second = await startTestServer({ clock, database: server.database, env: { SESSION_IDLE_MINUTES: '30' } })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

const newUser = (): Promise<TestUser> => {
  made += 1
  return addUser(server, { email: `sessions-${made}@example.com` })
}
const list = async (as: As, path = '/api/auth/sessions', on = server) => (await on.call({ path, as })).body
const end = async (as: As, path: string) => (await server.call({ method: 'DELETE', path, as })).status
const me = async ({ cookie }: { cookie: string }, on = server) =>
  (await on.call({ path: '/api/auth/me', as: { cookie } })).status

describe('the list of sessions', () => {
  test('a session shows how, when and from where it was started, and not its cookie', async () => {
    const { email } = await newUser()
    clock.advance(1)
    const login = await server.call({
      path: '/api/auth/login',
      body: { email, password: ADMIN.password },
      as: 'anonymous',
      headers: { 'user-agent': 'Firefox/140.0' },
    })
    const cookie = cookieOf(login.headers)

    const sessions = await list({ cookie })

    const now = clock.now().toISOString()
    expect(sessions.at(-1)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'password',
      address: '127.0.0.1',
      user_agent: 'Firefox/140.0',
      created_at: now,
      authenticated_at: now,
      last_seen_at: now,
      expires_at: new Date(clock.now().getTime() + 7 * 24 * 60 * MINUTE_MS).toISOString(),
      is_current: true,
    })
    expect(sessions.map(({ is_current }: { is_current: boolean }) => is_current)).toEqual([false, true])
    expect(JSON.stringify(sessions)).not.toContain(cookie.replace('lg_session=', ''))
  })

  test('the browser of a session is cut at 300 characters', async () => {
    const { email } = await newUser()
    clock.advance(1)
    const login = await server.call({
      path: '/api/auth/login',
      body: { email, password: ADMIN.password },
      as: 'anonymous',
      headers: { 'user-agent': 'x'.repeat(10_000) },
    })

    const sessions = await list({ cookie: cookieOf(login.headers) })

    expect(sessions.at(-1).user_agent).toBe('x'.repeat(300))
  })

  test('the last use is stored at most once a minute', async () => {
    const user = await newUser()
    const started = clock.now().toISOString()
    clock.advance(MINUTE_MS - 1)
    expect(await list(user)).toMatchObject([{ last_seen_at: started }])
    clock.advance(1)
    await me(user)

    expect(await list(user)).toMatchObject([{ last_seen_at: clock.now().toISOString() }])
  })

  test('a confirmed session is listed once', async () => {
    const user = await newUser()
    const body = { password: ADMIN.password }
    const answer = await server.call({ path: '/api/auth/reauthenticate', body, as: user })

    expect(await list({ cookie: cookieOf(answer.headers) })).toHaveLength(1)
  })

  test('admins see the sessions of others', async () => {
    const user = await newUser()

    const sessions = await list('admin', `/api/users/${user.id}/sessions`)

    expect(sessions).toMatchObject([{ method: 'password', is_current: false }])
    expect(sessions[0].id).toBe((await list(user))[0].id)
  })
})

describe('the end of a session', () => {
  test('a person ends one of their sessions, and its stream ends on every instance', async () => {
    const user = await newUser()
    const other = await signIn(server, user.email)
    const stream = await readStream(`${second.url}/stream`, { cookie: other })
    await stream.until(({ event }) => event === 'ready')
    const ended = (await list({ cookie: other })).find(
      ({ is_current }: { is_current: boolean }) => is_current,
    )

    expect(await end(user, `/api/auth/sessions/${ended.id}`)).toBe(204)

    expect(await me({ cookie: other })).toBe(401)
    expect(await me(user)).toBe(200)
    await eventually(() => stream.ended())
  })

  test('a person ends all other sessions', async () => {
    const user = await newUser()
    const others = [await signIn(server, user.email), await signIn(server, user.email)]

    expect(await end(user, '/api/auth/sessions')).toBe(204)

    for (const cookie of others) expect(await me({ cookie })).toBe(401)
    expect(await list(user)).toMatchObject([{ is_current: true }])
  })

  describe('that has just been replaced by a confirmation', () => {
    async function replace() {
      const user = await newUser()
      const other = { ...user, cookie: await signIn(server, user.email) }
      const current = (await list(other)).find(({ is_current }: { is_current: boolean }) => is_current)
      const body = { password: ADMIN.password }
      const answer = await server.call({ path: '/api/auth/reauthenticate', body, as: other })
      return { user, replaced: other, id: current.id, successor: { cookie: cookieOf(answer.headers) } }
    }

    test('ends its successor too, by the person, an admin or a logout', async () => {
      const byPerson = await replace()
      expect(await end(byPerson.user, `/api/auth/sessions/${byPerson.id}`)).toBe(204)
      const byAdmin = await replace()
      expect(await end('admin', `/api/users/${byAdmin.user.id}/sessions/${byAdmin.id}`)).toBe(204)
      const byLogout = await replace()
      const path = '/api/auth/logout'
      expect((await server.call({ method: 'POST', path, as: byLogout.replaced })).status).toBe(204)

      for (const { replaced, successor, user } of [byPerson, byAdmin, byLogout]) {
        expect(await me(replaced)).toBe(401)
        expect(await me(successor)).toBe(401)
        expect(await me(user)).toBe(200)
      }
    })

    test('spares its successor when it ends all others', async () => {
      const { replaced, successor, user } = await replace()

      expect(await end(replaced, '/api/auth/sessions')).toBe(204)

      expect(await me(successor)).toBe(200)
      expect(await me(user)).toBe(401)
    })

    test('while it is replaced, ending all sessions of the person ends the successor too', async () => {
      const user = await newUser()
      const [session] = await list(user)
      const { db } = server.database
      const successor_id = randomUUID()
      const replacing = await db.startTransaction().execute()
      const row = replacing.selectFrom('sessions').selectAll().where('id', '=', session.id)
      const stored = await row.forUpdate().executeTakeFirstOrThrow()
      const ending = end('admin', `/api/users/${user.id}/sessions`)
      await eventually(() => isWaitingForALock(server.database.pool))
      await replacing
        .insertInto('sessions')
        .values({ ...stored, id: successor_id })
        .execute()
      await replacing.updateTable('sessions').set({ successor_id }).where('id', '=', session.id).execute()
      await replacing.commit().execute()

      expect(await ending).toBe(204)
      expect(await list('admin', `/api/users/${user.id}/sessions`)).toEqual([])
    })
  })

  test('a session of another person is 404, and stays', async () => {
    const user = await newUser()
    const [session] = await list(user)

    expect(await end(await newUser(), `/api/auth/sessions/${session.id}`)).toBe(404)

    expect(await me(user)).toBe(200)
  })

  test('an admin ends one session or all sessions of a person', async () => {
    const user = await newUser()
    const other = await newUser()
    const [session] = await list(user)
    expect(await end('admin', `/api/users/${other.id}/sessions/${session.id}`)).toBe(404)

    expect(await end('admin', `/api/users/${user.id}/sessions/${session.id}`)).toBe(204)
    expect(await me(user)).toBe(401)
    expect(await end('admin', `/api/users/${other.id}/sessions`)).toBe(204)
    expect(await me(other)).toBe(401)
  })
})

describe('SESSION_IDLE_MINUTES', () => {
  test('a session without requests ends after that time, and its stream with it', async () => {
    const user = await newUser()
    clock.advance(30 * MINUTE_MS)
    expect(await me(user, second)).toBe(200)
    const stream = await readStream(`${second.url}/stream`, { cookie: user.cookie })
    await stream.until(({ event }) => event === 'ready')

    clock.advance(31 * MINUTE_MS)

    expect(await me(user, second)).toBe(401)
    // Every change of rights causes a review, and so does each minute.
    const { id } = await newUser()
    await end('admin', `/api/users/${id}/sessions`)
    await eventually(() => stream.ended())
  })

  test('a session in use does not end, and an instance without the setting knows no such end', async () => {
    const user = await newUser()
    for (let minutes = 0; minutes < 90; minutes += 15) {
      clock.advance(15 * MINUTE_MS)
      expect(await me(user, second)).toBe(200)
      await list(user, '/api/auth/sessions', second)
    }
    clock.advance(120 * MINUTE_MS)
    expect(await me(user)).toBe(200)
  })
})

describe('tokens of others', () => {
  test('admins list and revoke the tokens of a person, with their last use and address', async () => {
    const user = await newUser()
    const { id, token } = await insertToken({ server }, { user_id: user.id })
    await server.call({ path: '/api/auth/me', as: { bearer: token } })

    const path = `/api/users/${user.id}/tokens`
    expect(await list('admin', path)).toMatchObject([
      { id, last_used_at: clock.now().toISOString(), last_address: '127.0.0.1' },
    ])
    expect(await list('admin', path)).toEqual(await list(user, '/api/tokens'))
    expect(await end('admin', `/api/users/${(await newUser()).id}/tokens/${id}`)).toBe(404)
    expect(await end('admin', `${path}/${id}`)).toBe(204)

    expect((await server.call({ path: '/api/auth/me', as: { bearer: token } })).status).toBe(401)
  })
})
