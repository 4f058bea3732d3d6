import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../../authorization/insert-token.ts'
import { addUser } from '../../../harness/add-user.ts'
import { createTestDatabase } from '../../../harness/database.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import {
  addPasskey,
  logInWithPasskey,
  loginOptions,
  PASSKEY_ENV,
  PASSKEY_ORIGIN,
  sendLogin,
} from '../../../harness/passkeys.ts'
import { cookieNamed, enrolTotp } from '../../../harness/second-factors.ts'
import { createAuthenticator, type Deviation } from '../../../harness/software-authenticator.ts'
import { ADMIN, type As, startTestServer, type TestServer } from '../../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const { password } = ADMIN

const clock = createManualClock()
let database: Awaited<ReturnType<typeof createTestDatabase>>
let server: TestServer
let second: TestServer
let made = 0

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ clock, database, env: PASSKEY_ENV })
  second = await startTestServer({ clock, database, env: PASSKEY_ENV })
})
afterAll(async () => {
  await server.close()
  await second.close()
  await database.drop()
})

async function newPerson() {
  made += 1
  const person = await addUser(server, { email: `person-${made}@example.com` })
  return { ...person, ...(await addPasskey(server, person)), userId: person.id }
}
const me = (as: As) => server.call({ path: '/api/auth/me', as })

const WRONG: readonly (readonly [string, Deviation])[] = [
  ['another origin', { origin: 'https://flags.example.com.evil.example' }],
  ['another port', { origin: 'https://flags.example.com:8443' }],
  ['another relying party', { rpId: 'example.com' }],
  ['no user verification', { isVerified: false }],
  ['another kind of ceremony', { type: 'webauthn.create' }],
  ['a challenge of another server', { challenge: Buffer.from('v1.AAAA').toString('base64url') }],
  ['a changed signature', { tamper: 'signature' }],
  ['changed data', { tamper: 'data' }],
  ['the handle of another account', { userHandle: Buffer.from('1').toString('base64url') }],
]

describe('a login without a password', () => {
  test('a passkey alone opens a session', async () => {
    const { authenticator, email, userId } = await newPerson()

    const answer = await logInWithPasskey(server, authenticator)

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ email, role: 'viewer' })
    expect((await me(answer)).status).toBe(200)
    const sessions = await server.call({ path: '/api/auth/sessions', as: answer })
    expect(sessions.body).toContainEqual(expect.objectContaining({ method: 'passkey' }))
    const stored = await database.db
      .selectFrom('passkeys')
      .select(['sign_count', 'last_used_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ sign_count: 2, last_used_at: clock.now().toISOString() })
  })

  test('has exactly one entry in the audit log, with the name of the passkey', async () => {
    const { authenticator, email, userId } = await newPerson()
    const entries = async () => {
      const path = `/api/audit?actor=${encodeURIComponent(email)}&limit=100`
      return (await server.call({ path })).body
    }
    const before = (await entries()).length

    await logInWithPasskey(server, authenticator)

    const after = await entries()
    expect(after).toHaveLength(before + 1)
    expect(after[0]).toMatchObject({
      action: 'auth.login',
      metadata: { method: 'passkey', name: 'Test device', resource: `user:${userId}` },
    })
  })

  test('says how long a new token may live, like a login with a password', async () => {
    const { authenticator } = await newPerson()
    const limited = await startTestServer({ clock, database, env: { ...PASSKEY_ENV, TOKEN_MAX_DAYS: '30' } })

    const { body } = await logInWithPasskey(limited, authenticator)

    await limited.close()
    expect(body).toMatchObject({ token_max_days: 30 })
  })

  test('the options name no account', async () => {
    const { body } = await loginOptions(server)

    expect(body).toMatchObject({
      rpId: 'flags.example.com',
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  test.each(WRONG)('%s is refused', async (_what, deviation) => {
    const { authenticator } = await newPerson()

    expect(await logInWithPasskey(server, authenticator, deviation)).toMatchObject({
      status: 401,
      cookie: '',
    })
  })

  test('without a handle of the account it is refused', async () => {
    const { authenticator } = await newPerson()

    expect((await logInWithPasskey(server, authenticator, { userHandle: null })).status).toBe(401)
  })

  test('a response is accepted once, on whichever instance, also at the same time', async () => {
    const { authenticator } = await newPerson()
    const { body: options } = await loginOptions(server)
    const response = authenticator.sign(options)

    const answers = await Promise.all([
      sendLogin(server, response),
      sendLogin(second, response),
      sendLogin(server, response),
    ])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await sendLogin(second, response)).status).toBe(401)
  })

  test('the challenge of one instance is accepted by another', async () => {
    const { authenticator } = await newPerson()
    const { body: options } = await loginOptions(server)

    expect((await sendLogin(second, authenticator.sign(options))).status).toBe(200)
  })

  test('a challenge ends after five minutes, and used ones are removed later', async () => {
    const { authenticator } = await newPerson()
    const { body: options } = await loginOptions(server)
    clock.advance(5 * MINUTE_MS)

    expect((await sendLogin(server, authenticator.sign(options))).status).toBe(401)
    expect((await logInWithPasskey(server, authenticator)).status).toBe(200)
    const { db } = database
    const { expires_at } = await db
      .selectFrom('used_challenges')
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(Date.parse(expires_at) - clock.now().getTime()).toBe(15 * MINUTE_MS)
  })

  test('a challenge for something else is refused', async () => {
    const { authenticator, cookie } = await newPerson()
    const as = { cookie }
    const { body: options } = await server.call({
      method: 'POST',
      path: '/api/auth/reauthenticate/options',
      as,
    })

    expect((await sendLogin(server, authenticator.sign(options))).status).toBe(401)
  })

  test('a passkey that is not registered, and damaged responses, are refused', async () => {
    const { authenticator } = await newPerson()
    const foreign = createAuthenticator({ origin: PASSKEY_ORIGIN })
    expect((await logInWithPasskey(server, foreign)).status).toBe(401)

    const { body: options } = await loginOptions(server)
    const { response, ...credential } = authenticator.sign(options)
    const nested = Buffer.alloc(5_000, 0x81).toString('base64url')
    for (const text of ['', 'ä', 'AAAA', '-', nested]) {
      for (const field of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
        const changed = { ...credential, response: { ...response, [field]: text } }
        expect((await sendLogin(server, changed)).status).toBe(401)
      }
      expect((await sendLogin(server, { ...credential, id: text, response })).status).toBe(401)
    }
    expect((await sendLogin(server, { ...credential, id: 'x'.repeat(8_001), response })).status).toBe(422)
    expect((await sendLogin(server, { ...credential, response: 'x'.repeat(17_000) })).status).toBe(413)
    expect((await sendLogin(server, { ...credential, response })).status).toBe(200)
  })

  test('a count of signatures that does not grow is refused, and leaves an entry', async () => {
    const { authenticator, email } = await newPerson()
    expect((await logInWithPasskey(server, authenticator, { count: 7 })).status).toBe(200)

    const same = await logInWithPasskey(server, authenticator, { count: 7 })
    const forged = await logInWithPasskey(server, authenticator, { count: 3, tamper: 'signature' })

    expect(same.status).toBe(403)
    expect(same.body.error).toContain('may have been copied')
    expect(forged.status).toBe(401)
    const entries = await database.db
      .selectFrom('audit_log')
      .where('action', 'not like', 'auth.%')
      .select('metadata')
      .where('actor_email', '=', email)
      .orderBy('id')
      .execute()
    expect(entries.map(({ metadata }) => Object(metadata).change)).toEqual(['added', 'refused'])
    expect(entries.at(-1)?.metadata).toMatchObject({ address: expect.any(String), name: 'Test device' })
  })

  test('a passkey without a count is accepted again and again', async () => {
    const person = await newPerson()
    const synchronized = createAuthenticator({ origin: PASSKEY_ORIGIN, counts: false })
    await addPasskey(server, person, synchronized)

    expect((await logInWithPasskey(server, synchronized)).status).toBe(200)
    expect((await logInWithPasskey(server, synchronized)).status).toBe(200)
  })

  test('the lock of the password does not apply, but disabling the account does', async () => {
    const { authenticator, email, userId } = await newPerson()
    const body = { email, password: 'wrong' }
    for (let tries = 0; tries < 5; tries += 1) {
      await server.call({ path: '/api/auth/login', body, as: 'anonymous' })
    }
    expect((await server.call({ path: '/api/auth/login', body, as: 'anonymous' })).status).toBe(429)

    expect((await logInWithPasskey(server, authenticator)).status).toBe(200)
    await server.call({ path: `/api/users/${userId}/disable`, body: {} })
    const disabled = await logInWithPasskey(server, authenticator)
    expect(disabled.status).toBe(403)
    expect(disabled.body.reason).toBe('account_disabled')
  })

  test('a page of another site is refused', async () => {
    const { body: options } = await loginOptions(server)
    const { authenticator } = await newPerson()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const login = await server.call({
      path: '/api/auth/login/passkey',
      body: { passkey: authenticator.sign(options) },
      as: 'anonymous',
      headers,
    })
    const begin = await server.call({
      path: '/api/auth/login/passkey/options',
      body: { purpose: 'login' },
      as: 'anonymous',
      headers,
    })

    expect([login.status, begin.status]).toEqual([403, 403])
  })
})

describe('a passkey as the second step of a login', () => {
  const firstStep = async (email: string) => {
    const body = { email, password }
    const answer = await server.call({ path: '/api/auth/login', body, as: 'anonymous' })
    return { answer, cookie: cookieNamed('lg_login', answer) }
  }
  const prove = (cookie: string, body: object) =>
    server.call({ path: '/api/auth/login/second-factor', body, as: 'anonymous', headers: { cookie } })

  test('the password asks for it, and it completes the login', async () => {
    const { authenticator, email } = await newPerson()
    const { answer, cookie } = await firstStep(email)
    expect(answer.body.factors).toEqual(['passkey', 'recovery_code'])

    const { body: options } = await loginOptions(server, 'second_factor', cookie)
    expect(options.allowCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    // A security key that is named does not return the handle of the account.
    const completed = await prove(cookie, { passkey: authenticator.sign(options, { userHandle: null }) })

    expect(completed.status).toBe(200)
    expect((await me({ cookie: cookieNamed('lg_session', completed) })).status).toBe(200)
  })

  test.each(WRONG)('%s is refused, and counted', async (_what, deviation) => {
    const { authenticator, email } = await newPerson()
    const { cookie } = await firstStep(email)
    const { body: options } = await loginOptions(server, 'second_factor', cookie)

    const answer = await prove(cookie, { passkey: authenticator.sign(options, deviation) })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: 'The passkey was not accepted.', attempts_remaining: 4 })
  })

  test('neither the passkey nor the challenge of another account or purpose is accepted', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const step = await firstStep(person.email)
    const ofOther = await firstStep(other.email)
    const { body: options } = await loginOptions(server, 'second_factor', step.cookie)
    const { body: optionsOfOther } = await loginOptions(server, 'second_factor', ofOther.cookie)
    const { body: optionsOfLogin } = await loginOptions(server)

    const wrong = [
      other.authenticator.sign(options),
      person.authenticator.sign(optionsOfOther),
      person.authenticator.sign(optionsOfLogin),
    ]
    for (const passkey of wrong) expect((await prove(step.cookie, { passkey })).status).toBe(401)
    const passkey = person.authenticator.sign(options)
    expect((await prove(step.cookie, { passkey, totp: '123456' })).status).toBe(422)
    expect((await prove(step.cookie, { passkey })).status).toBe(200)
    expect((await prove(step.cookie, { passkey })).status).toBe(401)
  })

  test('without a first step there are no options', async () => {
    const answer = await loginOptions(server, 'second_factor')

    expect(answer.status).toBe(401)
    expect(answer.body.reason).toBe('login_step_expired')
  })
})

describe('a passkey that confirms who one is', () => {
  const begin = (as: As) => server.call({ method: 'POST', path: '/api/auth/reauthenticate/options', as })
  const confirm = (as: As, body: object) => server.call({ path: '/api/auth/reauthenticate', body, as })
  const dangerous = (as: As) => server.call({ method: 'POST', path: '/api/auth/factors/totp', as })

  test('it makes the login recent without the password, and replaces the cookie', async () => {
    const { authenticator, cookie } = await newPerson()
    const session = { cookie }
    clock.advance(11 * MINUTE_MS)
    expect((await dangerous(session)).body.reason).toBe('reauthentication_required')

    const { body: options } = await begin(session)
    const answer = await confirm(session, { passkey: authenticator.sign(options) })

    expect(answer.status).toBe(204)
    const renewed = cookieNamed('lg_session', answer)
    expect(renewed).not.toBe(cookie)
    expect((await dangerous({ cookie: renewed })).status).toBe(200)
    expect((await dangerous(session)).body.reason).toBe('reauthentication_required')
  })

  test.each(WRONG)('%s is refused', async (_what, deviation) => {
    const { authenticator, cookie } = await newPerson()
    const { body: options } = await begin({ cookie })

    expect((await confirm({ cookie }, { passkey: authenticator.sign(options, deviation) })).status).toBe(403)
  })

  test('the passkey and the challenge of another account or purpose are refused', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const as = { cookie: person.cookie }
    const { body: options } = await begin(as)
    const { body: optionsOfOther } = await begin({ cookie: other.cookie })
    const { body: optionsOfLogin } = await loginOptions(server)

    for (const passkey of [
      other.authenticator.sign(options),
      person.authenticator.sign(optionsOfOther),
      person.authenticator.sign(optionsOfLogin),
    ]) {
      expect((await confirm(as, { passkey })).status).toBe(403)
    }
    const passkey = person.authenticator.sign(options)
    expect((await confirm(as, { passkey, password })).status).toBe(422)
    expect((await confirm(as, {})).status).toBe(422)
    expect((await confirm(as, { totp: '123456' })).status).toBe(422)
    const confirmed = await confirm(as, { passkey })
    expect(confirmed.status).toBe(204)
    const renewed = { cookie: cookieNamed('lg_session', confirmed) }
    expect((await confirm(renewed, { passkey })).status).toBe(403)
  })

  test('beside a password it is asked for like a code', async () => {
    const { cookie } = await newPerson()

    const answer = await confirm({ cookie }, { password })

    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({
      reason: 'second_factor_required',
      factors: ['passkey', 'recovery_code'],
    })
  })

  test('a token and an account without passkeys have nothing to confirm with', async () => {
    const person = await newPerson()
    const { token } = await insertToken({ server }, { user_id: person.userId })
    made += 1
    const plain = await addUser(server, { email: `person-${made}@example.com` })
    await enrolTotp(server, plain, clock)

    expect((await begin({ bearer: token })).status).toBe(403)
    expect((await begin(plain)).status).toBe(409)
  })
})
