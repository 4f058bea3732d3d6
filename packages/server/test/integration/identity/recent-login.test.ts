import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser } from '../../harness/add-user.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import {
  ADMIN,
  type As,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const REQUIRED = {
  error: expect.stringContaining('/api/auth/reauthenticate'),
  reason: 'reauthentication_required',
}

const clock = createManualClock()
let server: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())
afterEach(() => clock.advance(MINUTE_MS))

/** Starts a session that is too old for what needs a recent login. */
async function oldSession(): Promise<{ cookie: string; id: number; email: string }> {
  made += 1
  const user = await addUser(server, { email: `old-${made}@example.com`, role: 'admin' })
  clock.advance(10 * MINUTE_MS + 1)
  return user
}

const newUser = () => {
  made += 1
  return { name: 'New', email: `new-${made}@example.com`, role: 'viewer', password: 'a long password' }
}
const createUser = (as: As) => server.call({ path: '/api/users', body: newUser(), as })
const confirm = (as: As, password = ADMIN.password) =>
  server.call({ path: '/api/auth/reauthenticate', body: { password }, as })

describe('what needs a recent login', () => {
  test('a session may do everything for ten minutes after its login', async () => {
    made += 1
    const user = await addUser(server, { email: `young-${made}@example.com`, role: 'admin' })
    clock.advance(10 * MINUTE_MS)

    expect((await createUser(user)).status).toBe(200)
  })

  test('an older session gets 403 with the reason, before its body is read', async () => {
    const session = await oldSession()

    const answer = await server.call({ path: '/api/users', body: '{"not": json', as: session })

    expect(answer.status).toBe(403)
    expect(answer.body).toEqual(REQUIRED)
  })

  test('a missing right and a missing thing come before the age of the login', async () => {
    made += 1
    const viewer = await addUser(server, { email: `viewer-${made}@example.com` })
    const session = await oldSession()

    expect((await createUser(viewer)).body).not.toHaveProperty('reason')
    const answer = await server.call({ method: 'DELETE', path: '/api/users/999999', as: session })
    expect(answer.status).toBe(404)
  })

  test('an older session reads and writes everything else', async () => {
    const session = await oldSession()
    const path = `/api/environments/${server.environments.production}/flags`

    expect((await server.call({ path: '/api/users', as: session })).status).toBe(200)
    const body = { key: `old-${made}`, is_enabled: true }
    expect((await server.call({ path, body, as: session })).status).toBe(200)
  })

  test('a personal access token and an SDK key are not sessions and have no age', async () => {
    const { id } = await oldSession()
    const { token } = await insertToken({ server }, { user_id: id })
    clock.advance(60 * MINUTE_MS)

    expect((await createUser({ bearer: token })).status).toBe(200)
    const path = `/api/projects/${server.project.id}/keys`
    const body = { name: 'New', environment_id: server.environments.production }
    expect((await server.call({ path, body, as: { bearer: server.sdkKey } })).status).toBe(200)
  })

  test('only some fields of an environment and of the workspace need a recent login', async () => {
    const session = await oldSession()
    const patch = (path: string, body: object) => server.call({ method: 'PATCH', path, body, as: session })
    const environment = `/api/projects/${server.project.id}/environments/${server.environments.staging}`

    expect((await patch(environment, { color: '#123456' })).status).toBe(200)
    expect((await patch(environment, { keys_may_manage: true })).body).toEqual(REQUIRED)
    expect((await patch('/api/workspace', { workspace_name: 'Test' })).status).toBe(200)
    expect((await patch('/api/workspace', { keys_may_manage: true })).body).toEqual(REQUIRED)
  })
})

describe('POST /api/auth/reauthenticate', () => {
  test('the password makes the login recent, and replaces the cookie', async () => {
    const session = await oldSession()

    const answer = await confirm(session)

    expect(answer.status).toBe(204)
    const cookie = cookieOf(answer.headers)
    expect(cookie).toMatch(/^lg_session=/)
    expect(cookie).not.toBe(session.cookie)
    expect((await createUser({ cookie })).status).toBe(200)
  })

  test('the earlier cookie gains nothing, and ends after a few seconds', async () => {
    const session = await oldSession()
    await confirm(session)

    expect((await createUser(session)).body).toEqual(REQUIRED)
    expect((await server.call({ path: '/api/auth/me', as: session })).status).toBe(200)
    expect((await confirm(session)).status).toBe(503)
    clock.advance(10_000)
    expect((await server.call({ path: '/api/auth/me', as: session })).status).toBe(401)
  })

  test('a session does not live longer because of a confirmation', async () => {
    const session = await oldSession()
    clock.advance(7 * 24 * 60 * MINUTE_MS - 11 * MINUTE_MS)
    const cookie = cookieOf((await confirm(session)).headers)
    expect((await server.call({ path: '/api/auth/me', as: { cookie } })).status).toBe(200)

    clock.advance(MINUTE_MS)

    expect((await server.call({ path: '/api/auth/me', as: { cookie } })).status).toBe(401)
  })

  test('signing out with the new cookie ends the earlier one at once', async () => {
    const session = await oldSession()
    const cookie = cookieOf((await confirm(session)).headers)

    await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })

    expect((await server.call({ path: '/api/auth/me', as: session })).status).toBe(401)
  })

  test('a wrong password is 403 and counts like a failed login: five lock the account', async () => {
    const session = await oldSession()
    for (const attempts_remaining of [4, 3, 2, 1, 0]) {
      const answer = await confirm(session, 'wrong')
      expect([answer.status, answer.body.attempts_remaining]).toEqual([403, attempts_remaining])
    }

    const locked = await confirm(session)

    expect(locked.status).toBe(429)
    expect(locked.body.retry_after_seconds).toBe(900)
    const { email } = session
    const body = { email, password: ADMIN.password }
    expect((await server.call({ path: '/api/auth/login', body, as: 'anonymous' })).status).toBe(429)
    expect((await createUser(session)).body).toEqual(REQUIRED)
  })

  test('a token cannot confirm anything', async () => {
    const { id } = await oldSession()
    const { token } = await insertToken({ server }, { user_id: id })

    expect((await confirm({ bearer: token })).status).toBe(403)
  })

  test('the time of a login does not count for another session of the same user', async () => {
    const session = await oldSession()
    const { email } = session
    const body = { email, password: ADMIN.password }
    expect((await server.call({ path: '/api/auth/login', body, as: 'anonymous' })).status).toBe(200)

    expect((await createUser(session)).body).toEqual(REQUIRED)
  })
})
