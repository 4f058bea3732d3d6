import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addUser, type TestUser } from '../../../harness/add-user.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { cookieNamed, type EnrolledApp, enrolTotp } from '../../../harness/second-factors.ts'
import {
  ADMIN,
  type Answer,
  type As,
  startTestServer,
  type TestServer,
} from '../../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const { password } = ADMIN

const clock = createManualClock()
let server: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())
// Each test has steps of its own.
afterEach(() => clock.advance(2 * MINUTE_MS))

const nextEmail = () => {
  made += 1
  return `person-${made}@example.com`
}

const newPerson = (role: 'admin' | 'viewer' = 'viewer') => addUser(server, { email: nextEmail(), role })

async function enrolledPerson(): Promise<TestUser & { app: EnrolledApp }> {
  const person = await newPerson()
  return { ...person, app: await enrolTotp(server, person, clock) }
}

const logIn = (email: string, cookie?: string) =>
  server.call({
    path: '/api/auth/login',
    body: { email, password },
    as: 'anonymous',
    ...(cookie !== undefined && { headers: { cookie } }),
  })
const stepOf = async (email: string) => cookieNamed('lg_login', await logIn(email))
const proveWith = (cookie: string, body: object): Promise<Answer> =>
  server.call({ path: '/api/auth/login/second-factor', body, as: 'anonymous', headers: { cookie } })
const me = (as: As) => server.call({ path: '/api/auth/me', as })
const factorsOf = async (as: As) => (await server.call({ path: '/api/auth/factors', as })).body

describe('enrollment', () => {
  test('an unconfirmed secret changes nothing', async () => {
    const person = await newPerson()
    const { body } = await server.call({ method: 'POST', path: '/api/auth/factors/totp', as: person })
    server.watchSecret(body.secret)

    expect(body.otpauth_url).toBe(
      `otpauth://totp/Burgee:${encodeURIComponent(person.email)}?secret=${body.secret}&issuer=Burgee`,
    )
    expect((await logIn(person.email)).status).toBe(200)
    expect(await factorsOf(person)).toMatchObject({ totp: null, recovery_codes_left: 0 })
  })

  test('a code confirms it and gives ten recovery codes once', async () => {
    const { app, ...person } = await enrolledPerson()

    expect(new Set(app.recoveryCodes).size).toBe(10)
    expect(await factorsOf(person)).toEqual({
      totp: { confirmed_at: expect.any(String) },
      passkeys: [],
      recovery_codes_left: 10,
      is_required: false,
      due_at: null,
      reset_at: null,
    })
    const again = await server.call({ method: 'POST', path: '/api/auth/factors/totp', as: person })
    expect(again.status).toBe(409)
  })

  test('a wrong code confirms nothing, and neither does one for a replaced secret', async () => {
    const person = await newPerson()
    const path = '/api/auth/factors/totp/confirm'
    expect((await server.call({ path, body: { code: '123456' }, as: person })).status).toBe(409)
    await server.call({ method: 'POST', path: '/api/auth/factors/totp', as: person })

    expect((await server.call({ path, body: { code: '12345' }, as: person })).status).toBe(422)
    expect((await server.call({ path, body: { code: 'x'.repeat(101) }, as: person })).status).toBe(422)
    expect(await factorsOf(person)).toMatchObject({ totp: null })
  })

  test('renewed recovery codes end the earlier ones, and the last factor takes them along', async () => {
    const { app, ...person } = await enrolledPerson()
    const path = '/api/auth/factors/recovery-codes'
    const { body } = await server.call({ method: 'POST', path, as: person })
    const step = await stepOf(person.email)
    const tooOld = await proveWith(step, { recovery_code: app.recoveryCodes[0] })
    const recent = await proveWith(step, { recovery_code: body.recovery_codes[0] })

    expect(tooOld.status).toBe(401)
    expect(recent.status).toBe(200)
    const removed = await server.call({ method: 'DELETE', path: '/api/auth/factors/totp', as: person })
    expect(removed.status).toBe(204)
    expect(await factorsOf(person)).toMatchObject({ totp: null, recovery_codes_left: 0 })
    expect((await server.call({ method: 'POST', path, as: person })).status).toBe(409)
    expect((await logIn(person.email)).status).toBe(200)
  })

  test('changes of factors need a recent login, and leave an entry without secrets', async () => {
    const { app: _app, ...person } = await enrolledPerson()
    clock.advance(10 * MINUTE_MS + 1)

    const removed = await server.call({ method: 'DELETE', path: '/api/auth/factors/totp', as: person })

    expect(removed.body.reason).toBe('reauthentication_required')
    const entries = await server.database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select('metadata')
      .where('actor_email', '=', person.email)
      .execute()
    expect(entries).toEqual([
      {
        metadata: expect.objectContaining({
          resource: `user:${person.id}`,
          second_factor: 'totp',
          change: 'added',
        }),
      },
    ])
  })
})

describe('a login to an account with a second factor', () => {
  test('the right password gives no session, but says what is missing', async () => {
    const { email } = await enrolledPerson()

    const answer = await logIn(email)

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      error: expect.any(String),
      reason: 'second_factor_required',
      factors: ['totp', 'recovery_code'],
    })
    expect(cookieNamed('lg_session', answer)).toBe('')
    const attributes = answer.headers.getSetCookie().join()
    expect(attributes).toMatch(
      /^lg_login=v1\.[^;]+; Max-Age=300; Path=\/api\/auth; HttpOnly; SameSite=Strict/,
    )
  })

  test('the first step alone opens nothing', async () => {
    const { email } = await enrolledPerson()
    const cookie = await stepOf(email)

    expect((await me({ cookie })).status).toBe(401)
    expect((await me({ cookie: cookie.replace('lg_login', 'lg_session') })).status).toBe(401)
  })

  test('a code completes it, with the response of a login', async () => {
    const { app, email } = await enrolledPerson()

    const answer = await proveWith(await stepOf(email), { totp: app.code() })

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ email, role: 'viewer' })
    const cookie = cookieNamed('lg_session', answer)
    expect((await me({ cookie })).status).toBe(200)
    expect(cookieNamed('lg_device', answer)).not.toBe('')
    expect(cookieNamed('lg_login', answer)).toBe('lg_login=')
  })

  test('a code is accepted once, also by two requests at the same time', async () => {
    const { app, email } = await enrolledPerson()
    const step = await stepOf(email)
    const totp = app.code()

    const answers = await Promise.all([proveWith(step, { totp }), proveWith(step, { totp })])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await proveWith(step, { totp })).status).toBe(401)
    expect((await proveWith(step, { totp: app.code(-1) })).status).toBe(401)
    expect((await proveWith(step, { totp: app.code(1) })).status).toBe(200)
  })

  test('a recovery code is accepted once, as it is typed', async () => {
    const { app, ...person } = await enrolledPerson()
    const [code = ''] = app.recoveryCodes
    const step = await stepOf(person.email)
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `

    expect((await proveWith(step, { recovery_code: typed })).status).toBe(200)
    expect((await proveWith(step, { recovery_code: code })).status).toBe(401)
    expect(await factorsOf(person)).toMatchObject({ recovery_codes_left: 9 })
  })

  test('a code and a recovery code of another account are wrong', async () => {
    const one = await enrolledPerson()
    const other = await enrolledPerson()
    const step = await stepOf(one.email)

    expect((await proveWith(step, { totp: other.app.code() })).status).toBe(401)
    expect((await proveWith(step, { recovery_code: other.app.recoveryCodes[0] })).status).toBe(401)
  })

  test('a secret that was moved to another account opens nothing', async () => {
    const one = await enrolledPerson()
    const other = await enrolledPerson()
    const { db } = server.database
    const { secret } = await db
      .selectFrom('totp_secrets')
      .select('secret')
      .where('user_id', '=', other.id)
      .executeTakeFirstOrThrow()
    await db.updateTable('totp_secrets').set({ secret }).where('user_id', '=', one.id).execute()

    const answer = await proveWith(await stepOf(one.email), { totp: other.app.code() })

    expect(answer.status).toBe(500)
  })

  test('five wrong codes lock the second step, which right passwords do not unlock', async () => {
    const { app, ...person } = await enrolledPerson()
    const wrong: unknown[] = []
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { body } = await proveWith(await stepOf(person.email), { totp: '000000' })
      wrong.push(body.attempts_remaining)
    }
    const step = await stepOf(person.email)

    expect(wrong).toEqual([4, 3, 2, 1, 0])
    const locked = await proveWith(step, { totp: app.code() })
    expect(locked.status).toBe(429)
    expect(locked.body.retry_after_seconds).toBe(900)
    expect((await proveWith(step, { recovery_code: app.recoveryCodes[0] })).status).toBe(429)
    const listed = await server.call({ path: `/api/users/${person.id}` })
    expect(listed.body.locked_until).not.toBeNull()
    await server.call({ method: 'POST', path: `/api/users/${person.id}/unlock` })
    expect((await proveWith(step, { totp: app.code() })).status).toBe(200)
  })

  test('many wrong codes at the same time are counted', async () => {
    const { email } = await enrolledPerson()
    const step = await stepOf(email)

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, code) => proveWith(step, { totp: String(100_000 + code) })),
    )

    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(401), count(429)]).toEqual([5, 7])
  })

  test.each([
    ['no body', ''],
    ['no proof', {}],
    ['an unknown proof', { sms: '123456' }],
    ['two proofs', { totp: '123456', recovery_code: 'aaaaaa' }],
    ['a number', { totp: 123456 }],
    ['a long code', { totp: '1'.repeat(101) }],
  ])('%s is refused and not counted', async (_name, body) => {
    const { app, email } = await enrolledPerson()
    const step = await stepOf(email)

    expect([400, 422]).toContain((await proveWith(step, body as object)).status)
    expect((await proveWith(step, { totp: app.code() })).status).toBe(200)
  })

  test('a large body is refused before it is read', async () => {
    const { email } = await enrolledPerson()

    const answer = await proveWith(await stepOf(email), { totp: '1'.repeat(17 * 1024) })

    expect(answer.status).toBe(413)
  })
})

describe('the cookie of the first step', () => {
  const EXPIRED = { error: expect.any(String), reason: 'login_step_expired' }

  test('it ends after five minutes', async () => {
    const { app, email } = await enrolledPerson()
    const step = await stepOf(email)
    clock.advance(5 * MINUTE_MS)

    const answer = await proveWith(step, { totp: app.code() })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual(EXPIRED)
  })

  test('it is refused when missing, forged, or another cookie of this server', async () => {
    const { app, cookie, email } = await enrolledPerson()
    const step = await stepOf(email)
    const proof = { totp: app.code() }
    const forged = `${step.slice(0, -1)}${step.endsWith('A') ? 'B' : 'A'}`
    const session = cookie.replace('lg_session', 'lg_login')
    const device = cookieNamed('lg_device', await logIn(ADMIN.email)).replace('lg_device', 'lg_login')

    for (const wrong of ['', 'lg_login=', forged, session, device, `lg_login=${'x'.repeat(5_000)}`]) {
      expect((await proveWith(wrong, proof)).body).toEqual(EXPIRED)
    }
  })

  test('it gives no access to another account', async () => {
    const one = await enrolledPerson()
    const other = await enrolledPerson()

    const answer = await proveWith(await stepOf(one.email), { totp: other.app.code() })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      error: 'The code is wrong or was used before.',
      attempts_remaining: 4,
    })
  })

  test('a new password, disabling and deletion end it', async () => {
    const people = await Promise.all([enrolledPerson(), enrolledPerson(), enrolledPerson()])
    const [changed, disabled, deleted] = people
    const steps = await Promise.all(people.map(({ email }) => stepOf(email)))
    const { db } = server.database
    const path = (id: number) => `/api/users/${id}`
    await server.call({ method: 'PATCH', path: path(changed.id), body: { password: 'another long one' } })
    await db.updateTable('users').set({ disabled_at: '2026-01-01' }).where('id', '=', disabled.id).execute()
    await server.call({ method: 'DELETE', path: path(deleted.id) })

    for (const [at, { app }] of people.entries()) {
      expect((await proveWith(steps[at] ?? '', { totp: app.code() })).body).toEqual(EXPIRED)
    }
  })
})

describe('re-authentication', () => {
  const confirm = (as: As, body: object) => server.call({ path: '/api/auth/reauthenticate', body, as })

  test('an account with a second factor needs both', async () => {
    const { app, ...person } = await enrolledPerson()

    const alone = await confirm(person, { password })
    const both = await confirm(person, { password, totp: app.code() })

    expect(alone.status).toBe(403)
    expect(alone.body).toMatchObject({ reason: 'second_factor_required', factors: ['totp', 'recovery_code'] })
    expect(both.status).toBe(204)
  })

  test('a wrong password is refused before the code is used, and a wrong code is counted', async () => {
    const { app, ...person } = await enrolledPerson()
    const totp = app.code()

    expect((await confirm(person, { password: 'wrong', totp })).body.attempts_remaining).toBe(4)
    expect((await confirm(person, { password, totp: '000000' })).body.attempts_remaining).toBe(4)
    expect((await confirm(person, { password, totp: '000000' })).body.attempts_remaining).toBe(3)
    expect((await confirm(person, { password, totp })).status).toBe(204)
  })

  test('five wrong codes lock it', async () => {
    const { app, ...person } = await enrolledPerson()
    for (let attempt = 0; attempt < 5; attempt += 1) await confirm(person, { password, totp: '000000' })

    expect((await confirm(person, { password, totp: app.code() })).status).toBe(429)
  })
})
