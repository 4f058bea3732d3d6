import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
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
/** The password of every user of `addUser`. */
const OLD = ADMIN.password
const NEW = 'a new and better password'

const clock = createManualClock()
let database: TestDatabase
let server: TestServer
let second: TestServer
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ database, clock })
  second = await startTestServer({ database, clock })
})
afterAll(async () => {
  await server.close()
  await second.close()
  await database.drop()
})

const newUser = () => addUser(server, { email: `${randomUUID()}@example.com` })

const as = ({ cookie }: { cookie: string }): As => ({ cookie })

const change = (who: As, body: object = {}, on = server) =>
  on.call({
    path: '/api/auth/password',
    body: { current_password: OLD, new_password: NEW, ...body },
    as: who,
  })

const guess = (user: TestUser, on = server) => change(as(user), { current_password: 'a wrong guess' }, on)

const logIn = (email: string, password: string) =>
  server.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

const me = (who: As, on = server) => on.call({ path: '/api/auth/me', as: who })

const newToken = async (user: TestUser, scope = 'read_write'): Promise<string> =>
  (await server.call({ path: '/api/tokens', body: { name: 'CI', scope }, as: as(user) })).body.token

describe('POST /api/auth/password', () => {
  it('a change of password responds with 204, and the new password is valid from then on', async () => {
    const user = await newUser()
    expect(await change(as(user))).toMatchObject({ status: 204, body: '' })
    expect((await logIn(user.email, OLD)).status).toBe(401)
    expect((await logIn(user.email, NEW)).status).toBe(200)
  })

  it('a change of password ends other sessions with their streams on every instance, and keeps the current one', async () => {
    const user = await newUser()
    const other = cookieOf((await logIn(user.email, OLD)).headers)
    const stranger = await newUser()
    const open = (on: TestServer, cookie: string) => readStream(`${on.url}/stream`, { cookie })
    const ending = [await open(server, other), await open(second, other)]
    const staying = [await open(second, user.cookie), await open(second, stranger.cookie)]
    for (const stream of [...ending, ...staying]) await stream.until(({ event }) => event === 'ready')

    await change(as(user))

    for (const on of [server, second]) expect((await me({ cookie: other }, on)).status).toBe(401)
    for (const stream of ending) await eventually(() => stream.ended())
    expect(staying.map((stream) => stream.ended())).toEqual([false, false])
    for (const stream of staying) stream.close()
    expect((await me(as(user), second)).status).toBe(200)
    expect((await me(as(stranger))).status).toBe(200)
  })

  it('a change of password ends the tokens of the user, on every instance, and those of no one else', async () => {
    const [user, stranger] = [await newUser(), await newUser()]
    const [token, other] = [await newToken(user), await newToken(stranger)]
    expect((await me({ bearer: token }, second)).status).toBe(200)
    expect((await change(as(user))).status).toBe(204)
    for (const on of [server, second]) expect((await me({ bearer: token }, on)).status).toBe(401)
    expect((await me({ bearer: other })).status).toBe(200)
    const { body } = await server.call({ path: `/api/audit?actor=${user.email}` })
    expect(body[0].metadata).toMatchObject({ password: 'changed', tokens_revoked: 1 })
  })

  it('tokens stay valid where the change asks for it', async () => {
    const user = await newUser()
    const token = await newToken(user)
    expect((await change(as(user), { revoke_tokens: false })).status).toBe(204)
    expect((await me({ bearer: token })).status).toBe(200)
    expect((await change(as(user), { revoke_tokens: 'no' })).status).toBe(422)
  })

  it('a change of password with a token ends all sessions and the other tokens', async () => {
    const user = await newUser()
    const [token, other] = [await newToken(user), await newToken(user)]
    expect((await change({ bearer: token })).status).toBe(204)
    expect((await me(as(user))).status).toBe(401)
    expect((await me({ bearer: other })).status).toBe(401)
    expect((await me({ bearer: token })).status).toBe(200)
  })

  it('a change of password with a read_only token is 403 and not counted', async () => {
    const user = await newUser()
    const token = await newToken(user, 'read_only')
    expect((await change({ bearer: token }, { current_password: 'wrong' })).status).toBe(403)
    expect((await logIn(user.email, 'wrong')).body.attempts_remaining).toBe(4)
  })

  it.each([
    ['a new password shorter than 8', { new_password: '1234567' }],
    ['a new password of more than 1,024 bytes', { new_password: 'ä'.repeat(513) }],
    ['a new password of null', { new_password: null }],
    ['no new password', { new_password: undefined }],
    ['no current password', { current_password: undefined }],
    ['a current password of null', { current_password: null }],
    ['a new password with NUL', { new_password: 'password\0' }],
  ])('a change of password with %s is 422 before any attempt is counted', async (_, body) => {
    const user = await newUser()
    expect((await change(as(user), { current_password: 'wrong', ...body })).status).toBe(422)
    expect((await logIn(user.email, 'wrong')).body.attempts_remaining).toBe(4)
    expect((await me(as(user))).status).toBe(200)
  })

  it('a change of password is 401 without a credential and 403 for an SDK key', async () => {
    expect((await change('anonymous')).status).toBe(401)
    expect((await change({ bearer: server.sdkKey })).status).toBe(403)
  })

  it('a change of password by cookie without X-Flagservice-Request is 403 and changes nothing', async () => {
    const user = await newUser()
    const answer = await server.call({
      path: '/api/auth/password',
      body: { current_password: OLD, new_password: NEW },
      as: 'anonymous',
      headers: { cookie: user.cookie },
    })
    expect(answer.status).toBe(403)
    expect((await logIn(user.email, OLD)).status).toBe(200)
  })

  it('neither password is logged or audited', async () => {
    const user = await newUser()
    await change(as(user), { current_password: 'the-canary-guess' })
    await change(as(user), { new_password: 'the-canary-password' })
    const { rows } = await database.pool.query(
      `select * from audit_log where metadata->>'resource' = $1 and action not like 'auth.%' order by id`,
      [`user:${user.id}`],
    )
    expect(rows).toMatchObject([
      { action: 'update', actor_email: user.email, metadata: { origin: 'direct', password: 'changed' } },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/canary|argon2/)
    expect(server.logged()).not.toContain('canary')
  })
})

describe('a wrong current password', () => {
  it('a wrong current password is 403 and counts like a failed login: after five the account is locked, 429', async () => {
    const user = await newUser()
    const answers = []
    for (let count = 0; count < 6; count += 1)
      answers.push(await guess(user, count % 2 === 0 ? server : second))

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body).toEqual({ error: expect.any(String), retry_after_seconds: 900 })
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('900')
    expect((await change(as(user))).status).toBe(429)
    expect((await logIn(user.email, OLD)).status).toBe(429)
    expect((await me(as(user))).status).toBe(200)

    clock.advance(15 * MINUTE_MS)
    expect((await change(as(user))).status).toBe(204)
  })

  it('wrong current passwords are counted together with failed logins', async () => {
    const user = await newUser()
    await guess(user)
    expect((await logIn(user.email, 'wrong')).body.attempts_remaining).toBe(3)
    expect((await guess(user)).body.attempts_remaining).toBe(2)
    expect((await logIn(user.email, 'wrong')).body.attempts_remaining).toBe(1)
    expect((await guess(user)).status).toBe(403)
    expect((await logIn(user.email, OLD)).status).toBe(429)
  })

  it('wrong current passwords are forgotten after a success', async () => {
    const user = await newUser()
    for (let count = 0; count < 4; count += 1) await guess(user)
    expect((await change(as(user))).status).toBe(204)
    expect((await guess(user)).body.attempts_remaining).toBe(4)
  })

  it('a current password of more than 1,024 bytes counts as wrong', async () => {
    const user = await newUser()
    expect((await change(as(user), { current_password: 'x'.repeat(2_000) })).status).toBe(403)
  })

  it('of many concurrent changes and logins over two instances exactly five are checked', async () => {
    const user = await newUser()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        if (index % 3 === 0) return logIn(user.email, 'wrong')
        return guess(user, index % 2 === 0 ? server : second)
      }),
    )
    const checked = answers.filter(({ status }) => status === 403 || status === 401)
    expect(checked.map(({ body }) => body.attempts_remaining).sort()).toEqual([0, 1, 2, 3, 4])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(55)
  })
})

describe('concurrent changes of a password', () => {
  it('of several concurrent changes with one current password one succeeds', async () => {
    const user = await newUser()
    const answers = await Promise.all(
      [server, second, server].map((on, index) => change(as(user), { new_password: `${NEW} ${index}` }, on)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403])
    expect((await me(as(user))).status).toBe(200)
  })

  it('a concurrent login with the old password leaves no session', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await newUser()
      const [changed, ...logins] = await Promise.all([
        change(as(user)),
        ...Array.from({ length: 3 }, () => logIn(user.email, OLD)),
      ])
      expect(changed.status).toBe(204)
      for (const login of logins) {
        if (login.status === 200) expect((await me({ cookie: cookieOf(login.headers) })).status).toBe(401)
        else expect(login.status).toBe(401)
      }
    }
  })
})
