import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../../authorization/insert-token.ts'
import { addUser, signIn } from '../../../harness/add-user.ts'
import { eventually } from '../../../harness/eventually.ts'
import { insertUser } from '../../../harness/insert-user.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { readStream } from '../../../harness/read-stream.ts'
import { cookieNamed, enrolTotp } from '../../../harness/second-factors.ts'
import { ADMIN, type As, startTestServer, type TestServer } from '../../../harness/start-test-server.ts'

const DAY_MS = 24 * 60 * 60_000
const ENROL = { error: expect.any(String), reason: 'second_factor_enrolment_required' }

const clock = createManualClock()
let server: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ clock })
  await enrolTotp(server, 'admin', clock)
})
afterAll(() => server.close())

/** Adds a person at the time of the server's clock, from which their days of grace count. */
async function newPerson() {
  made += 1
  const person = await addUser(server, { email: `person-${made}@example.com` })
  const created_at = clock.now().toISOString()
  await server.database.db.updateTable('users').set({ created_at }).where('id', '=', person.id).execute()
  return person
}
const setPolicy = (body: object, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: '/api/workspace', body, as })
const listProjects = (as: As) => server.call({ path: '/api/projects', as })
const me = (as: As) => server.call({ path: '/api/auth/me', as })

describe('a workspace that requires a second factor', () => {
  test('by default it does not, and nothing is shown', async () => {
    const person = await newPerson()

    expect((await server.call({ path: '/api/workspace' })).body).toMatchObject({
      second_factor: 'optional',
      second_factor_grace_days: 7,
    })
    expect((await me(person)).body).not.toHaveProperty('second_factor_due_at')
  })

  test('accounts without one have the days of grace, and then can only add one', async () => {
    const person = await newPerson()
    const { token } = await insertToken({ server }, { user_id: person.id })
    await setPolicy({ second_factor: 'required', second_factor_grace_days: 3 })

    const dueAt = (await me(person)).body.second_factor_due_at
    expect(Date.parse(dueAt) - clock.now().getTime()).toBe(3 * DAY_MS)
    expect((await listProjects(person)).status).toBe(200)
    clock.advance(3 * DAY_MS)
    expect((await listProjects(person)).body).toEqual(ENROL)
    expect((await listProjects({ bearer: token })).status).toBe(200)
    const again = { cookie: await signIn(server, person.email) }
    expect((await listProjects(again)).body).toEqual(ENROL)
    expect((await me(again)).body.second_factor_due_at).toBe(dueAt)
    await enrolTotp(server, again, clock)
    expect((await listProjects(again)).status).toBe(200)
    expect((await me(again)).body).not.toHaveProperty('second_factor_due_at')
  })

  test('a path that does not exist, and a body that is invalid, say the same', async () => {
    const person = await newPerson()
    await setPolicy({ second_factor_grace_days: 0 })

    const missing = { path: '/api/projects/00000000-0000-4000-8000-000000000000', as: person }
    expect((await server.call(missing)).body).toEqual(ENROL)
    expect((await server.call({ path: '/api/tokens', body: '{', as: person })).body).toEqual(ENROL)
    expect((await server.call({ path: '/api/users', as: 'anonymous' })).status).toBe(401)
  })

  test('a session of single sign-on has proven its factors at the provider', async () => {
    const person = await newPerson()
    await setPolicy({ second_factor_grace_days: 0 })
    const { db } = server.database
    await db.updateTable('sessions').set({ method: 'sso' }).where('user_id', '=', person.id).execute()

    expect((await listProjects(person)).status).toBe(200)
  })

  test('an open stream ends when the days of grace are taken back', async () => {
    await setPolicy({ second_factor_grace_days: 30 })
    const person = await newPerson()
    const stream = await readStream(`${server.url}/stream`, { cookie: person.cookie })
    await setPolicy({ second_factor_grace_days: 0 })

    await eventually(() => stream.ended() || undefined)
    expect((await me(person)).status).toBe(200)
  })

  test('the last factor stays, and the first one comes with recovery codes', async () => {
    await setPolicy({ second_factor_grace_days: 0 })
    const person = await newPerson()
    const { recoveryCodes } = await enrolTotp(server, person, clock)

    expect(recoveryCodes).toHaveLength(10)
    const removed = await server.call({ method: 'DELETE', path: '/api/auth/factors/totp', as: person })
    expect(removed.status).toBe(409)
    expect((await server.call({ path: '/api/auth/factors', as: person })).body).toMatchObject({
      is_required: true,
      due_at: null,
    })
  })

  test('only a workspace admin with a recent login sets it, within bounds', async () => {
    const person = await newPerson()
    await enrolTotp(server, person, clock)
    await setPolicy({ second_factor: 'optional' })

    expect((await setPolicy({ second_factor: 'required' }, person)).status).toBe(403)
    expect((await setPolicy({ second_factor: 'sometimes' })).status).toBe(422)
    for (const second_factor_grace_days of [-1, 366, 1.5, '7']) {
      expect((await setPolicy({ second_factor_grace_days })).status).toBe(422)
    }
    const { db } = server.database
    const { metadata, after_data } = await db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select(['metadata', 'after_data'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(metadata).toMatchObject({ resource: 'workspace' })
    expect(after_data).toMatchObject({ second_factor: 'optional' })
  })
})

describe('an admin who resets the factors of a user', () => {
  const reset = (id: number, as: As = 'admin') =>
    server.call({ method: 'DELETE', path: `/api/users/${id}/factors`, as })

  test('the password alone signs in again, and the person is notified until there is a factor', async () => {
    const person = await newPerson()
    await enrolTotp(server, person, clock)
    expect((await reset(person.id)).status).toBe(204)

    const body = { email: person.email, password: ADMIN.password }
    const login = await server.call({ path: '/api/auth/login', body, as: 'anonymous' })
    expect(login.status).toBe(200)
    expect(login.body.second_factors_reset_at).toBe(clock.now().toISOString())
    const session = { cookie: cookieNamed('lg_session', login) }
    expect((await me(session)).body.second_factors_reset_at).toBe(clock.now().toISOString())
    clock.advance(60_000)
    await enrolTotp(server, session, clock)
    expect((await me(session)).body).not.toHaveProperty('second_factors_reset_at')
  })

  test('a token of an admin removes no factors, and not those of its owner', async () => {
    const person = await newPerson()
    await enrolTotp(server, person, clock)
    const admin = await server.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ADMIN.email)
      .executeTakeFirstOrThrow()
    const { token } = await insertToken({ server }, { user_id: admin.id })
    for (const id of [person.id, admin.id]) {
      const refused = await reset(id, { bearer: token })
      expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('token')])
    }
    expect((await reset(2_000_000_000, { bearer: token })).status).toBe(404)
    expect((await server.call({ path: '/api/auth/factors', as: person })).body.totp).not.toBeNull()
  })

  test('it is recorded, and has no notice for a user without factors', async () => {
    const { email, id } = await insertUser(server, { email: 'plain@example.com' })
    await reset(id)

    expect((await me({ cookie: await signIn(server, email) })).body).not.toHaveProperty(
      'second_factors_reset_at',
    )
    const entry = await server.database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select(['actor_email', 'metadata'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      actor_email: ADMIN.email,
      metadata: { resource: `user:${id}`, second_factor: 'all', change: 'reset' },
    })
  })

  test('where one is required, open sessions can only add one from then on', async () => {
    const person = await newPerson()
    await enrolTotp(server, person, clock)
    await setPolicy({ second_factor: 'required', second_factor_grace_days: 0 })
    expect((await listProjects(person)).status).toBe(200)
    await reset(person.id)

    expect((await listProjects(person)).body).toEqual(ENROL)
    await setPolicy({ second_factor: 'optional' })
  })
})
