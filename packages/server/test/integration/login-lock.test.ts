import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneLogins } from '../../src/features/auth/index.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../harness/start-test-server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let database: TestDatabase
let clock: ManualClock
let one: TestServer
let two: TestServer

beforeAll(async () => {
  database = await createTestDatabase()
  clock = createManualClock()
  const env = { TRUST_PROXY: 'true' }
  one = await startTestServer({ database, clock, env })
  two = await startTestServer({ database, clock, env })
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.drop()
})
beforeEach(async () => {
  await database.db.deleteFrom('login_failures').execute()
  clock.advance(MINUTE_MS)
})

interface PasswordAttempt {
  readonly email?: string
  readonly password?: string
  readonly on?: TestServer
  readonly address?: string
}

const guess = ({
  address = '192.0.2.1',
  email = ADMIN.email,
  on = one,
  password = 'wrong guess',
}: PasswordAttempt = {}) =>
  on.call({
    path: '/api/auth/login',
    body: { email, password },
    as: 'anonymous',
    headers: { 'x-forwarded-for': address },
  })

const rightGuess = (how: PasswordAttempt = {}) => guess({ password: ADMIN.password, ...how })

async function fail(times: number, how: PasswordAttempt = {}): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let count = 0; count < times; count += 1) answers.push(await guess(how))
  return answers
}

describe('after 5 failed attempts within 10 minutes the account is locked for 15 minutes', () => {
  test('failures 1 to 5 answer 401 with attempts_remaining 4, 3, 2, 1, 0 and then it is 429', async () => {
    const answers = await fail(6)

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body).toEqual({ error: expect.any(String), retry_after_seconds: 900 })
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('900')
  })

  test('the right password during the lock is 429 too, on every instance', async () => {
    await fail(5)

    expect((await rightGuess()).status).toBe(429)
    expect((await rightGuess({ on: two })).status).toBe(429)
  })

  test.each([
    [0, 900],
    [1, 900],
    [MINUTE_MS - 1, 900],
    [MINUTE_MS, 840],
    [14 * MINUTE_MS, 60],
    [15 * MINUTE_MS - 1, 60],
  ])(
    '%i ms into the lock retry_after_seconds is %i, the remainder rounded up to a full minute',
    async (ms, seconds) => {
      await fail(5)
      clock.advance(ms)

      const answer = await guess()

      expect(answer.body.retry_after_seconds).toBe(seconds)
      expect(answer.headers.get('retry-after')).toBe(String(seconds))
    },
  )

  test('attempts during the lock do not prolong it', async () => {
    await fail(5)
    clock.advance(14 * MINUTE_MS)
    await fail(5)
    clock.advance(MINUTE_MS)

    expect((await rightGuess()).status).toBe(200)
  })

  test('after the lock counting begins anew', async () => {
    await fail(5)
    clock.advance(15 * MINUTE_MS)

    const answers = await fail(6)

    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body.retry_after_seconds).toBe(900)
  })

  test('a success clears the count', async () => {
    await fail(4)
    expect((await rightGuess()).status).toBe(200)

    expect((await guess()).body.attempts_remaining).toBe(4)
  })

  test('failures older than 10 minutes do not count', async () => {
    await fail(2)
    clock.advance(5 * MINUTE_MS)
    await fail(2)
    clock.advance(5 * MINUTE_MS)

    expect((await guess()).body.attempts_remaining).toBe(2)
  })

  test('failures count per account, whatever the case of its e-mail and the instance asked', async () => {
    await guess({ email: ADMIN.email.toUpperCase() })
    await guess({ email: ADMIN.email, on: two })

    expect((await guess({ email: 'Ada@Example.COM' })).body.attempts_remaining).toBe(2)
    expect((await guess({ email: 'somebody-else@example.com' })).body.attempts_remaining).toBe(4)
  })

  test('unknown e-mails count the same', async () => {
    const answers = await fail(6, { email: `${randomUUID()}@example.com` })

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
  })

  test('no other spelling of an e-mail gives more guesses at its account', async () => {
    const { db } = database
    const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
    await db
      .insertInto('users')
      .values({ name: 'Iris', email: 'iris@example.com', role: 'viewer', password_hash })
      .execute()

    expect((await rightGuess({ email: 'IRIS@example.com' })).status).toBe(200)
    // PostgreSQL folds this dotted capital to an i, JavaScript does not.
    expect((await rightGuess({ email: '\u0130ris@example.com' })).status).toBe(401)
  })

  test('sessions and keys go on working', async () => {
    await fail(5)

    expect((await one.call({ path: '/api/auth/me' })).status).toBe(200)
    expect((await one.call({ path: '/flags/snapshot', as: { bearer: one.sdkKey } })).status).toBe(200)
  })
})

describe('an unknown e-mail and a known one cannot be told apart', () => {
  /** Returns a whole response, except for what differs between responses. */
  const whole = ({ body, headers, status }: Answer) => ({
    status,
    body,
    headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  })
  const unknown = () => `${randomUUID()}@example.com`

  test('by what any guess of a row is answered, before, in and after the lock', async () => {
    const story = async (email: string) => {
      const on = (count: number) => (count % 2 === 0 ? one : two)
      const answers: Answer[] = []
      for (let count = 0; count < 7; count += 1) answers.push(await guess({ email, on: on(count) }))
      clock.advance(7 * MINUTE_MS)
      answers.push(await guess({ email: email.toUpperCase(), on: two }))
      clock.advance(8 * MINUTE_MS)
      answers.push(await guess({ email }), await guess({ email, password: '' }))
      return answers.map(whole)
    }

    const known = await story(ADMIN.email)

    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 401, 401])
    expect(await story(unknown())).toEqual(known)
  })

  test('by how many of 200 at once over two instances are answered how', async () => {
    const count = async (email: string) => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => guess({ email, on: index % 2 === 0 ? one : two })),
      )
      return answers.map((answer) => JSON.stringify(whole(answer))).sort()
    }

    const known = await count(ADMIN.email)

    expect(new Set(known).size).toBe(6)
    expect(await count(unknown())).toEqual(known)
  })

  test('by what is kept of them', async () => {
    const email = unknown()
    await fail(5)
    await fail(5, { email })

    const kept = await database.db
      .selectFrom('login_failures')
      .select(['failed_at', 'locked_until', 'checking_id', 'checking_until'])
      .execute()

    expect(kept).toHaveLength(2)
    expect(kept[1]).toEqual(kept[0])
  })
})

describe('a wrong current password counts like a failed login', () => {
  const changePassword = (current_password: string, on = one) =>
    on.call({ path: '/api/auth/password', body: { current_password, new_password: ADMIN.password } })

  test('of the same account: 403 with what remains, and the fifth of either kind locks', async () => {
    await guess()
    await guess({ on: two })

    const wrong = [await changePassword('wrong one'), await changePassword('wrong one', two)]
    expect(wrong.map(({ status }) => status)).toEqual([403, 403])
    const last = await guess()
    expect(last.body.attempts_remaining).toBe(0)

    for (const answer of [await changePassword(ADMIN.password), await rightGuess({ on: two })]) {
      expect(answer.status).toBe(429)
      expect(answer.body).toEqual({ error: expect.any(String), retry_after_seconds: 900 })
      expect(answer.headers.get('retry-after')).toBe('900')
    }
  })

  test('also among 200 guesses of both kinds at once over two instances: five are checked', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const on = index % 2 === 0 ? one : two
        return index % 4 < 2 ? guess({ on }) : changePassword('wrong one', on)
      }),
    )

    const checked = answers.filter(({ status }) => status === 401 || status === 403)
    expect(checked).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195)
  })

  test('and a right one clears the count', async () => {
    await fail(4)
    expect((await changePassword(ADMIN.password)).status).toBe(204)

    expect((await guess()).body.attempts_remaining).toBe(4)
  })

  test('and is counted for nobody else', async () => {
    await changePassword('wrong one')

    expect((await guess({ email: 'somebody-else@example.com' })).body.attempts_remaining).toBe(4)
  })
})

describe('many guesses at once', () => {
  test('of 200 wrong ones over two instances exactly five are checked, the others are 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => guess({ on: index % 2 === 0 ? one : two })),
    )

    const checked = answers.filter(({ status }) => status === 401).map(({ body }) => body.attempts_remaining)
    expect(checked.sort()).toEqual([0, 1, 2, 3, 4])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(195)
    expect(new Set(refused.map(({ body }) => body.retry_after_seconds))).toEqual(new Set([900]))
  })

  test('right ones are never taken for wrong, however many there are', async () => {
    await fail(4)

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rightGuess({ on: index % 2 === 0 ? one : two })),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test('a right one that could not be finished does not keep the next one waiting', async () => {
    const { pool } = database
    await pool.query(`create function refuse_session() returns trigger language plpgsql as
      $$ begin raise exception 'no session today'; end $$`)
    await pool.query(
      'create trigger no_session before insert on sessions for each row execute function refuse_session()',
    )
    expect((await rightGuess()).status).toBe(500)
    await pool.query('drop function refuse_session cascade')

    // The clock does not move, so the claim cannot have expired.
    expect((await rightGuess()).status).toBe(200)
  })

  test('the claim of an instance that died over a guess ends by itself', async () => {
    await database.db
      .insertInto('login_failures')
      .values({
        email: ADMIN.email,
        failed_at: [],
        locked_until: null,
        checking_id: randomUUID(),
        checking_until: new Date(clock.now().getTime() + 10_000).toISOString(),
      })
      .execute()

    const answer = rightGuess()
    clock.advance(10_000)

    expect((await answer).status).toBe(200)
  })
})

describe('300 failed logins a minute per address', () => {
  test('the next one is 429 for the rest of the minute, the right password included', async () => {
    const address = '192.0.2.77'
    const failures = await Promise.all(
      Array.from({ length: 310 }, () => guess({ address, email: `${randomUUID()}@example.com` })),
    )
    expect(failures.filter(({ status }) => status === 401)).toHaveLength(300)
    expect(failures.filter(({ status }) => status === 429)).toHaveLength(10)

    clock.advance(MINUTE_MS / 2)
    const refused = await rightGuess({ address })
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ error: expect.any(String), retry_after_seconds: 30 })
    expect(refused.headers.get('retry-after')).toBe('30')
    expect((await rightGuess({ address: '192.0.2.78' })).status).toBe(200)

    clock.advance(MINUTE_MS / 2)
    expect((await rightGuess({ address })).status).toBe(200)
  }, 60_000)

  test('guesses at a locked account and successes are not counted', async () => {
    const address = '192.0.2.79'
    await fail(5, { address })
    await Promise.all(Array.from({ length: 310 }, () => guess({ address })))

    expect((await guess({ address, email: `${randomUUID()}@example.com` })).status).toBe(401)
  })
})

describe('the session lives for 7 days', () => {
  test('it is 401 afterwards, however often it was used', async () => {
    const cookie = cookieOf((await rightGuess()).headers)
    const me = () => one.call({ path: '/api/auth/me', as: { cookie } })

    clock.advance(7 * DAY_MS - 1_000)
    expect((await me()).status).toBe(200)
    clock.advance(1_000)
    expect((await me()).status).toBe(401)
  })

  test('its row ends it too, should the cookie say otherwise', async () => {
    const cookie = cookieOf((await rightGuess()).headers)
    await database.db.updateTable('sessions').set({ expires_at: clock.now().toISOString() }).execute()

    expect((await one.call({ path: '/api/auth/me', as: { cookie } })).status).toBe(401)
  })
})

test('what has had its time is removed, and nothing else', async () => {
  await database.db.deleteFrom('sessions').execute()
  await rightGuess()
  await fail(5)
  await guess({ email: 'old@example.com' })
  const remaining = async () => {
    await pruneLogins(database.db, clock.now().toISOString())
    const accounts = await database.db.selectFrom('login_failures').select('email').orderBy('email').execute()
    const sessions = await database.db.selectFrom('sessions').select('id').execute()
    return { accounts: accounts.map(({ email }) => email), sessions: sessions.length }
  }

  expect(await remaining()).toEqual({ accounts: [ADMIN.email, 'old@example.com'], sessions: 1 })
  clock.advance(10 * MINUTE_MS)
  expect(await remaining()).toEqual({ accounts: [ADMIN.email], sessions: 1 })
  clock.advance(5 * MINUTE_MS)
  expect(await remaining()).toEqual({ accounts: [], sessions: 1 })
  clock.advance(7 * DAY_MS)
  expect(await eventually(remaining)).toEqual({ accounts: [], sessions: 0 })
})
