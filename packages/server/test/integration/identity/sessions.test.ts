import { randomBytes, randomUUID } from 'node:crypto'
import { EncryptJWT, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionSeal } from '../../../src/platform/crypto/sealed-session.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream } from '../../harness/read-stream.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const SECRET = 'a-session-secret-for-tests-of-32-characters'
const DAY_MS = 24 * 60 * 60_000
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const clock = createManualClock()
let server: TestServer
let second: TestServer
let elsewhere: TestServer

beforeAll(async () => {
  server = await startTestServer({ clock })
  second = await startTestServer({ clock, database: server.database })
  // Another installation that happens to have the same secret.
  elsewhere = await startTestServer({ clock })
})
afterAll(async () => {
  await elsewhere.close()
  await second.close()
  await server.close()
})

interface Person {
  readonly id: number
  readonly email: string
  readonly password: string
}

const newPassword = () => `a password ${randomBytes(9).toString('base64url')}`

async function newPerson(role = 'viewer'): Promise<Person> {
  const person = { name: 'Grace', email: `${randomUUID()}@example.com`, role, password: newPassword() }
  const { body } = await server.call({ path: '/api/users', body: person })
  return { ...person, id: body.id }
}

const logIn = ({ email, password }: Pick<Person, 'email' | 'password'>, on = server): Promise<Answer> =>
  on.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

async function freshCookie(person: Pick<Person, 'email' | 'password'> = ADMIN, on = server): Promise<string> {
  return cookieOf((await logIn(person, on)).headers)
}

const sealedOf = (cookie: string) => cookie.replace('lg_session=', '')
const me = (cookie: string, on = server) => on.call({ path: '/api/auth/me', as: { cookie } })

/** Returns a whole response, except for what differs between responses. */
async function rawAnswer(cookie: string | null, { method = 'GET', on = server, path = '/api/auth/me' } = {}) {
  const response = await fetch(on.url + path, { method, headers: cookie === null ? {} : { cookie } })
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return { status: response.status, headers, body: await response.text() }
}

/** Expects each of these cookies to get the same response, to the byte, as no cookie. */
async function expectRefused(cookies: Iterable<string>, on = server): Promise<void> {
  const anonymous = await rawAnswer(null, { on })
  expect(anonymous.status).toBe(401)
  for (const cookie of cookies) expect(await rawAnswer(cookie, { on }), cookie).toEqual(anonymous)
}

describe('changed session cookies', () => {
  test('a session cookie with any changed character is 401', async () => {
    const cookie = await freshCookie()
    const sealed = sealedOf(cookie)
    const changed = [...sealed].map((char, at) => sealed.slice(0, at) + other(char) + sealed.slice(at + 1))

    await expectRefused(changed.map((value) => `lg_session=${value}`))
    expect((await me(cookie)).status).toBe(200)
  })

  test('a session cookie with a changed last character, whose last bits are unused, is 401', async () => {
    const cookie = await freshCookie()
    const changed = [...BASE64URL].map((char) => cookie.slice(0, -1) + char).filter((each) => each !== cookie)

    await expectRefused(changed)
  })

  test.each([1, 2, 3, 4, 22, 23, 24, 60, 120, 160])(
    'a session cookie without its last %i characters is 401',
    async (count) => {
      await expectRefused([(await freshCookie()).slice(0, -count)])
    },
  )

  test.each(['=', '==', 'A', '.', '.A', '%20', '%3D%3D', '%00', '*'])(
    'a session cookie with %s behind it is 401',
    async (tail) => {
      await expectRefused([(await freshCookie()) + tail])
    },
  )

  test('a session cookie with two swapped parts is 401', async () => {
    const parts = sealedOf(await freshCookie()).split('.')
    const pairs = parts.flatMap((_, left) =>
      parts.slice(left + 1).map((_, at) => [left, left + 1 + at] as const),
    )

    expect(pairs).toHaveLength(10)
    await expectRefused(pairs.map(([left, right]) => `lg_session=${swapped(parts, left, right).join('.')}`))
  })

  test('a session cookie with a part of another one is 401', async () => {
    const [mine, yours] = [sealedOf(await freshCookie()).split('.'), sealedOf(await freshCookie()).split('.')]
    const mixed = [2, 3, 4].map((at) =>
      mine.map((part, index) => (index === at ? yours[index] : part)).join('.'),
    )

    await expectRefused(mixed.map((value) => `lg_session=${value}`))
  })

  test.each([
    ['empty', ''],
    ['a dot', '.'],
    ['five empty parts', '....'],
    ['null', 'null'],
    ['an object', '{}'],
    ['a percent sign', '%'],
    ['an encoded NUL', '%00'],
    ['a quote', '"'],
    ['12,000 characters', 'x'.repeat(12_000)],
    ['5,000 parts', `eyJ${'.x'.repeat(5_000)}`],
  ])('a session cookie that is %s is 401', async (_what, value) => {
    await expectRefused([`lg_session=${value}`])
  })

  test('a session cookie above the header limit is 431, with a body like any error', async () => {
    const answer = await server.call({
      path: '/api/auth/me',
      as: { cookie: `lg_session=${'x'.repeat(20_000)}` },
    })

    expect(answer.status).toBe(431)
    expect(answer.body).toEqual({ error: expect.any(String) })
  })
})

describe('session cookies with their own algorithm', () => {
  const KEY = new Uint8Array(32).fill(7)
  const claims = (sid: string) => ({ sid, exp: Math.floor(clock.now().getTime() / 1_000) + 3_600 })

  test.each([
    ['alg none', { alg: 'none' }],
    ['alg none with enc', { alg: 'none', enc: 'none' }],
    ['another cipher', { alg: 'dir', enc: 'A128GCM' }],
    ['a cipher with padding', { alg: 'dir', enc: 'A256CBC-HS512' }],
    [
      'a wrapped key',
      { alg: 'A256GCMKW', enc: 'A256GCM', iv: 'AAAAAAAAAAAAAAAA', tag: 'AAAAAAAAAAAAAAAAAAAAAA' },
    ],
    ['a key of its own', { alg: 'dir', enc: 'A256GCM', jwk: { kty: 'oct', k: 'A'.repeat(43) } }],
    [
      'a key from a password, at great cost',
      { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2 ** 31, p2s: 'AAAA' },
    ],
    ['compression', { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }],
    ['something critical', { alg: 'dir', enc: 'A256GCM', crit: ['exp'], exp: 1 }],
    ['the same in other words', { enc: 'A256GCM', alg: 'dir' }],
    ['a list', []],
  ])('a session cookie is 401: %s', async (_what, header) => {
    const [, ...rest] = sealedOf(await freshCookie()).split('.')
    const encoded = Buffer.from(JSON.stringify(header)).toString('base64url')

    await expectRefused([`lg_session=${[encoded, ...rest].join('.')}`, `lg_session=${encoded}.${rest[2]}.`])
  })

  test('a signed or plain token as session cookie is 401', async () => {
    const payload = claims(await anySessionId())
    const signed = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET))

    await expectRefused([`lg_session=${signed}`, `lg_session=${new UnsecuredJWT(payload).encode()}`])
  })

  test('an existing session sealed with another key is 401', async () => {
    const sid = await anySessionId()
    const sealed = await new EncryptJWT(claims(sid))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(KEY)
    const foreign = await createSessionSeal(['another secret']).seal(
      sid,
      new Date(clock.now().getTime() + DAY_MS),
    )

    await expectRefused([`lg_session=${sealed}`, `lg_session=${foreign}`])
  })
})

describe('replayed session cookies', () => {
  const expectEnded = async (...cookies: string[]) => {
    await expectRefused(cookies, server)
    await expectRefused(cookies, second)
  }

  test('a cookie after logout is 401 on every instance', async () => {
    const cookie = await freshCookie(ADMIN, second)
    await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })

    await expectEnded(cookie)
  })

  test("a cookie after the user's deletion is 401 on every instance", async () => {
    const person = await newPerson()
    const cookies = [await freshCookie(person), await freshCookie(person, second)]
    const deleted = await second.call({ method: 'DELETE', path: `/api/users/${person.id}` })

    expect(deleted.status).toBe(204)
    await expectEnded(...cookies)
  })

  test('other cookies after a change of the own password are 401; the session of the change stays', async () => {
    const person = await newPerson()
    const [asking, ...others] = [
      await freshCookie(person),
      await freshCookie(person),
      await freshCookie(person, second),
    ]
    const body = { current_password: person.password, new_password: newPassword() }
    const changed = await server.call({ path: '/api/auth/password', body, as: { cookie: asking ?? '' } })

    expect(changed.status).toBe(204)
    await expectEnded(...others)
    expect((await me(asking ?? '', second)).status).toBe(200)
    expect((await logIn(person)).status).toBe(401)
    expect((await logIn({ ...person, password: body.new_password })).status).toBe(200)
  })

  test('all cookies after a change of the own password by a token are 401; the token stays', async () => {
    const person = await newPerson()
    const cookies = [await freshCookie(person), await freshCookie(person)]
    const token = { name: 'CI', scope: 'read_write' }
    const created = await server.call({ path: '/api/tokens', body: token, as: { cookie: cookies[0] ?? '' } })
    const as = { bearer: created.body.token }
    const body = { current_password: person.password, new_password: newPassword() }
    const changed = await server.call({ path: '/api/auth/password', body, as })

    expect(changed.status).toBe(204)
    await expectEnded(...cookies)
    expect((await second.call({ path: '/api/auth/me', as })).status).toBe(200)
  })

  test('all cookies after an admin set a new password are 401', async () => {
    const person = await newPerson()
    const cookies = [await freshCookie(person), await freshCookie(person, second)]
    const body = { password: newPassword() }
    const changed = await server.call({ method: 'PATCH', path: `/api/users/${person.id}`, body })

    expect(changed.status).toBe(200)
    await expectEnded(...cookies)
    expect((await me(server.cookie)).status).toBe(200)
  })

  test('the open streams of ended sessions end', async () => {
    const person = await newPerson()
    const [asking, other] = [await freshCookie(person), await freshCookie(person)]
    const kept = await readStream(`${second.url}/stream`, { cookie: asking })
    const ended = await readStream(`${second.url}/stream`, { cookie: other })
    const body = { current_password: person.password, new_password: newPassword() }
    await server.call({ path: '/api/auth/password', body, as: { cookie: asking } })

    await eventually(() => ended.ended())
    expect(kept.ended()).toBe(false)
    kept.close()
  })

  test('a cookie of another installation is 401, also with the same secret', async () => {
    await expectEnded(elsewhere.cookie)
    expect((await me(elsewhere.cookie, elsewhere)).status).toBe(200)
  })

  test('a cookie after seven days is 401', async () => {
    const person = await newPerson()
    const cookie = await freshCookie(person)
    clock.advance(7 * DAY_MS - 1_000)
    expect((await me(cookie)).status).toBe(200)
    clock.advance(1_000)

    await expectEnded(cookie, server.cookie)
  })
})

describe('logins during the end of all sessions', () => {
  test.each([
    [
      'a new password',
      (id: number) => ({ method: 'PATCH', path: `/api/users/${id}`, body: { password: newPassword() } }),
    ],
    ['the deletion of the user', (id: number) => ({ method: 'DELETE', path: `/api/users/${id}` })],
  ])('no session with the old password outlives %s', async (_what, end) => {
    const admin = { cookie: await freshCookie() }
    const person = {
      name: 'Joan',
      email: `${randomUUID()}@example.com`,
      role: 'viewer',
      password: newPassword(),
    }
    const { body } = await server.call({ path: '/api/users', body: person, as: admin })

    const before = await logIn(person)
    const logins = Array.from({ length: 12 }, (_, index) => logIn(person, index % 2 === 0 ? server : second))
    await Promise.any(logins)
    const ended = await second.call({ ...end(body.id), as: admin })
    const answers = [before, ...(await Promise.all(logins))]

    expect(ended.status).toBeLessThan(300)
    const cookies = answers.filter(({ status }) => status === 200).map(({ headers }) => cookieOf(headers))
    expect(cookies.length).toBeGreaterThan(0)
    await expectRefused(cookies)
  })
})

describe('401 for ended sessions on every endpoint', () => {
  test.each([
    ['GET', '/api/projects'],
    ['GET', '/api/users'],
    ['GET', `/api/environments/${randomUUID()}/flags`],
    ['GET', '/api/environments/no-uuid/flags'],
    ['POST', '/api/projects'],
    ['DELETE', '/api/users/1'],
    ['POST', '/api/auth/logout'],
    ['GET', '/flags/snapshot'],
    ['GET', '/stream'],
  ])('an ended session is 401 at %s %s', async (method, path) => {
    const anonymous = await rawAnswer(null, { method, path })

    expect(anonymous.status).toBe(401)
    expect(await rawAnswer(await endedCookie(), { method, path })).toEqual(anonymous)
    expect(await rawAnswer('lg_session=x', { method, path })).toEqual(anonymous)
  })
})

describe('the attributes of the session cookie', () => {
  test('the session cookie is sealed with AES-256-GCM and differs for each login', async () => {
    const [one, two] = [sealedOf(await freshCookie()), sealedOf(await freshCookie())]
    const [header = '', key, iv = '', , tag = ''] = one.split('.')

    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' })
    expect(key).toBe('')
    expect(Buffer.from(iv, 'base64url')).toHaveLength(12)
    expect(Buffer.from(tag, 'base64url')).toHaveLength(16)
    expect(two.split('.')[2]).not.toBe(iv)
  })

  test('logout clears the session cookie with the attributes that it was set with', async () => {
    const login = await logIn(ADMIN)
    const as = { cookie: cookieOf(login.headers) }
    const logout = await server.call({ method: 'POST', path: '/api/auth/logout', as })

    expect(attributesOf(logout)).toEqual(attributesOf(login).with(0, 'Max-Age=0'))
    expect(cookieOf(logout.headers)).toBe('lg_session=')
  })

  test('only login and set-up set the session cookie, and using a session does not prolong it', async () => {
    const cookie = await freshCookie()

    expect((await me(cookie)).headers.get('set-cookie')).toBeNull()
    expect(
      (await server.call({ path: '/api/projects', as: { cookie } })).headers.get('set-cookie'),
    ).toBeNull()
  })
})

/** Returns the attributes of the session cookie, which is the first one. */
const attributesOf = ({ headers }: Answer): string[] => (headers.getSetCookie()[0] ?? '').split('; ').slice(1)

async function endedCookie(): Promise<string> {
  const cookie = await freshCookie()
  await server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } })
  return cookie
}

async function anySessionId(): Promise<string> {
  await freshCookie()
  const { db } = server.database
  const newest = db.selectFrom('sessions').select('id').orderBy('created_at', 'desc').limit(1)
  return (await newest.executeTakeFirstOrThrow()).id
}

const other = (char: string): string => (char === 'A' ? 'B' : 'A')

function swapped<T>(list: readonly T[], left: number, right: number): T[] {
  return list.map(
    (item, index) => (index === left ? list[right] : index === right ? list[left] : item) ?? item,
  )
}
