import { PASSKEYS_MAX } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../../authorization/insert-token.ts'
import { addUser } from '../../../harness/add-user.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import {
  addPasskey,
  logInWithPasskey,
  PASSKEY_ENV,
  PASSKEY_ORIGIN,
  sendPasskey,
  startPasskey,
} from '../../../harness/passkeys.ts'
import { enrolTotp } from '../../../harness/second-factors.ts'
import { cbor, createAuthenticator, type Deviation } from '../../../harness/software-authenticator.ts'
import { type As, startTestServer, type TestServer } from '../../../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const PASSKEYS = '/api/auth/factors/passkeys'

const clock = createManualClock()
let server: TestServer
let made = 0

beforeAll(async () => {
  server = await startTestServer({ clock, env: PASSKEY_ENV })
})
afterAll(() => server.close())

function newPerson() {
  made += 1
  return addUser(server, { email: `person-${made}@example.com` })
}
const newAuthenticator = () => createAuthenticator({ origin: PASSKEY_ORIGIN })
const factorsOf = async (as: As) => (await server.call({ path: '/api/auth/factors', as })).body
const rename = (id: number, body: object, as: As) =>
  server.call({ method: 'PATCH', path: `${PASSKEYS}/${id}`, body, as })
const remove = (id: number, as: As) => server.call({ method: 'DELETE', path: `${PASSKEYS}/${id}`, as })

async function auditOf(email: string) {
  const rows = await server.database.db
    .selectFrom('audit_log')
    .where('action', 'not like', 'auth.%')
    .select('metadata')
    .where('actor_email', '=', email)
    .orderBy('id')
    .execute()
  return rows.map(({ metadata }) => {
    const { change, name, resource, second_factor } = Object(metadata)
    return { change, name, resource, second_factor }
  })
}

describe('adding a passkey', () => {
  test('an RSA key needs 2,048 bits', async () => {
    const person = await newPerson()
    for (const [rsaBits, status] of [
      [1_024, 422],
      [2_040, 422],
      [2_048, 200],
    ] as const) {
      const authenticator = createAuthenticator({ origin: PASSKEY_ORIGIN, rsaBits })
      const answer = await sendPasskey(server, person, authenticator)
      expect(answer.status, `${rsaBits} bits`).toBe(status)
      if (status === 422) expect(answer.body.error).toContain(`an RSA key of ${rsaBits} bits`)
    }
    expect((await factorsOf(person)).passkeys).toHaveLength(1)
  })

  test('the options ask for a discoverable passkey of a verified user', async () => {
    const person = await newPerson()
    const { authenticator } = await addPasskey(server, person)

    const { body } = await startPasskey(server, person)

    expect(body).toMatchObject({
      rp: { id: 'flags.example.com', name: 'Burgee' },
      user: { name: person.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: authenticator.credentialId, transports: ['internal'] }],
    })
    expect(Buffer.from(body.user.id, 'base64url')).toHaveLength(32)
  })

  test('it is listed, and the first factor comes with recovery codes', async () => {
    const person = await newPerson()
    const first = await addPasskey(server, person)
    const second = await addPasskey(server, person)

    expect(new Set(first.recoveryCodes).size).toBe(10)
    expect(second.recoveryCodes).toEqual([])
    const passkey = { name: 'Test device', created_at: clock.now().toISOString(), last_used_at: null }
    expect(await factorsOf(person)).toMatchObject({
      totp: null,
      passkeys: [
        { id: first.id, ...passkey },
        { id: second.id, ...passkey },
      ],
      recovery_codes_left: 10,
    })
  })

  const WRONG: readonly (readonly [string, Deviation])[] = [
    ['another origin', { origin: 'https://evil.example.com' }],
    ['the same host without https', { origin: 'http://flags.example.com' }],
    ['another relying party', { rpId: 'example.com' }],
    ['no user verification', { isVerified: false }],
    ['another kind of ceremony', { type: 'webauthn.get' }],
    ['a forged challenge', { challenge: Buffer.from('v1.AAAA').toString('base64url') }],
  ]
  test.each(WRONG)('%s is refused', async (_what, deviation) => {
    const person = await newPerson()

    const answer = await sendPasskey(server, person, newAuthenticator(), deviation)

    expect(answer.status).toBe(422)
    expect(answer.body.details[0].path).toBe('/credential')
    expect((await factorsOf(person)).passkeys).toEqual([])
  })

  test('a challenge is valid for one account, one purpose, five minutes, and once', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const add = (options: { challenge: string }, as: As) =>
      server.call({
        path: PASSKEYS,
        body: { name: 'x', credential: newAuthenticator().create(Object(options)) },
        as,
      })
    const { body: options } = await startPasskey(server, person)

    expect((await add(options, other)).status).toBe(422)
    await addPasskey(server, person)
    const confirmation = await server.call({
      method: 'POST',
      path: '/api/auth/reauthenticate/options',
      as: person,
    })
    expect((await add({ ...options, challenge: confirmation.body.challenge }, person)).status).toBe(422)
    expect((await add(options, person)).status).toBe(200)
    expect((await add(options, person)).status).toBe(422)
    const { body: later } = await startPasskey(server, person)
    clock.advance(5 * MINUTE_MS)
    expect((await add(later, person)).status).toBe(422)
  })

  test('a credential is registered once, for whichever account', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const { authenticator } = await addPasskey(server, person)

    expect((await sendPasskey(server, person, authenticator)).status).toBe(409)
    expect((await sendPasskey(server, other, authenticator)).status).toBe(409)
  })

  test('the attestation is not read, whatever it claims', async () => {
    const person = await newPerson()
    const attestation = { fmt: 'android-key', attStmt: cbor.map([[cbor.text('x5c'), cbor.text('none')]]) }

    expect((await sendPasskey(server, person, newAuthenticator(), { attestation })).status).toBe(200)
  })

  test('damaged and hostile responses are refused', async () => {
    const person = await newPerson()
    const { body: options } = await startPasskey(server, person)
    const { response, ...credential } = newAuthenticator().create(options)
    const send = (change: object, more: object = {}) =>
      server.call({
        path: PASSKEYS,
        body: { name: 'x', credential: { ...credential, ...more, response: { ...response, ...change } } },
        as: person,
      })
    const nested = Buffer.alloc(5_000, 0x81).toString('base64url')
    const endless = Buffer.from([0xbf, 0x9b, 255, 255, 255, 255, 255, 255, 255, 255]).toString('base64url')
    const texts = ['', '\u0000', 'ä', 'AAAA', nested, endless]
    for (const text of texts) {
      expect((await send({ attestationObject: text })).status).toBe(422)
      expect((await send({ clientDataJSON: text })).status).toBe(422)
      expect((await send({}, { id: text, rawId: text })).status).toBe(422)
    }
    expect((await send({}, { type: 'password' })).status).toBe(422)
    expect((await send({ clientDataJSON: 'x'.repeat(8_001) })).status).toBe(422)
    expect((await send({ transports: Array(11).fill('usb') })).status).toBe(422)
    expect((await send({ attestationObject: 'x'.repeat(17_000) })).status).toBe(413)
    expect((await send({})).status).toBe(200)
  })

  test('an account has at most 20', async () => {
    const person = await newPerson()
    const { body: options } = await startPasskey(server, person)
    const row = { user_id: person.id, name: 'x', public_key: Buffer.alloc(1), sign_count: 0 }
    const rows = Array.from({ length: PASSKEYS_MAX }, (_, at) => ({
      ...row,
      credential_id: `${person.id}-${at}`,
      transports: [],
      created_at: clock.now().toISOString(),
    }))
    await server.database.db.insertInto('passkeys').values(rows).execute()

    expect((await startPasskey(server, person)).status).toBe(409)
    const body = { name: 'x', credential: newAuthenticator().create(options) }
    const answer = await server.call({ path: PASSKEYS, body, as: person })
    expect(answer.status).toBe(409)
    expect(answer.body.error).toContain('at most 20')
  })

  test('a name is not blank and not too long', async () => {
    const person = await newPerson()
    const { id } = await addPasskey(server, person)

    for (const name of ['', '  ', 'x'.repeat(101), 7]) {
      expect((await rename(id, { name }, person)).status).toBe(422)
    }
  })
})

describe('changing passkeys', () => {
  test('they are renamed and removed, each with an entry in the audit log', async () => {
    const person = await newPerson()
    const { authenticator, id } = await addPasskey(server, person)

    const renamed = await rename(id, { name: 'Blue key' }, person)
    expect(renamed.body).toMatchObject({ id, name: 'Blue key' })
    expect((await logInWithPasskey(server, authenticator)).status).toBe(200)
    expect((await remove(id, person)).status).toBe(204)

    expect(await factorsOf(person)).toMatchObject({ passkeys: [], recovery_codes_left: 0 })
    expect((await logInWithPasskey(server, authenticator)).status).toBe(401)
    const entry = { resource: `user:${person.id}`, second_factor: 'passkey' }
    expect(await auditOf(person.email)).toEqual([
      { ...entry, change: 'added', name: 'Test device' },
      { ...entry, change: 'renamed', name: 'Blue key' },
      { ...entry, change: 'removed', name: 'Blue key' },
    ])
  })

  test('those of another account do not exist', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const { id } = await addPasskey(server, person)

    expect((await rename(id, { name: 'mine' }, other)).status).toBe(404)
    expect((await remove(id, other)).status).toBe(404)
    expect((await factorsOf(person)).passkeys).toHaveLength(1)
  })

  test('everything needs a session with a recent login', async () => {
    const person = await newPerson()
    const { id } = await addPasskey(server, person)
    const { token } = await insertToken({ server }, { user_id: person.id })
    const body = {
      name: 'x',
      credential: newAuthenticator().create((await startPasskey(server, person)).body),
    }
    const attempts = (as: As) => [
      startPasskey(server, as),
      server.call({ path: PASSKEYS, body, as }),
      rename(id, { name: 'x' }, as),
      remove(id, as),
    ]

    const byToken = await Promise.all(attempts({ bearer: token }))
    clock.advance(10 * MINUTE_MS + 1)
    const late = await Promise.all(attempts(person))

    expect(byToken.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(late.map((answer) => answer.body.reason)).toEqual(Array(4).fill('reauthentication_required'))
  })

  test('the recovery codes stay with the last factor', async () => {
    const person = await newPerson()
    await enrolTotp(server, person, clock)
    const { id } = await addPasskey(server, person)

    await remove(id, person)

    expect(await factorsOf(person)).toMatchObject({ passkeys: [], recovery_codes_left: 10 })
  })
})

describe('a workspace that requires a second factor', () => {
  test('a passkey suffices, and the last one stays', async () => {
    const person = await newPerson()
    const created_at = clock.now().toISOString()
    await server.database.db.updateTable('users').set({ created_at }).where('id', '=', person.id).execute()
    await addPasskey(server, 'admin')
    const policy = { second_factor: 'required', second_factor_grace_days: 0 }
    await server.call({ method: 'PATCH', path: '/api/workspace', body: policy })
    try {
      const refused = await server.call({ path: '/api/projects', as: person })
      expect(refused.body.reason).toBe('second_factor_enrolment_required')
      for (const way of ['POST /api/auth/factors/totp', 'POST /api/auth/factors/passkeys'])
        expect(refused.body.error).toContain(way)
      const { authenticator, id } = await addPasskey(server, person)
      expect((await server.call({ path: '/api/projects', as: person })).status).toBe(200)
      expect((await remove(id, person)).status).toBe(409)
      const { cookie } = await logInWithPasskey(server, authenticator)
      expect((await server.call({ path: '/api/projects', as: { cookie } })).status).toBe(200)
    } finally {
      await server.call({ method: 'PATCH', path: '/api/workspace', body: { second_factor: 'optional' } })
    }
  })

  test('an admin who resets the factors removes passkeys too', async () => {
    const person = await newPerson()
    const { authenticator } = await addPasskey(server, person)

    await server.call({ method: 'DELETE', path: `/api/users/${person.id}/factors` })

    expect(await factorsOf(person)).toMatchObject({ passkeys: [], reset_at: clock.now().toISOString() })
    expect((await logInWithPasskey(server, authenticator)).status).toBe(401)
  })
})
