import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneFailures } from '../../../src/identity/passwords/index.ts'
import { deleteExpired } from '../../../src/platform/db/delete-expired.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

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

describe('the lock after 5 failed logins', () => {
  test('failures 1 to 5 respond with 401 and attempts_remaining 4 to 0, and then with 429', async () => {
    const answers = await fail(6)

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body).toEqual({ error: expect.any(String), retry_after_seconds: 900 })
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('900')
  })

  test('the right password during the lock is 429, on every instance', async () => {
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

  test('after the lock counting restarts', async () => {
    await fail(5)
    clock.advance(15 * MINUTE_MS)

    const answers = await fail(6)

    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body.retry_after_seconds).toBe(900)
  })

  test('a success clears the count of failures', async () => {
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

  test('failures count per account, whatever the case of its e-mail and the instance', async () => {
    await guess({ email: ADMIN.email.toUpperCase() })
    await guess({ email: ADMIN.email, on: two })

    expect((await guess({ email: 'Ada@Example.COM' })).body.attempts_remaining).toBe(2)
    expect((await guess({ email: 'somebody-else@example.com' })).body.attempts_remaining).toBe(4)
  })

  test('failures of unknown e-mails count the same', async () => {
    const answers = await fail(6, { email: `${randomUUID()}@example.com` })

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
  })

  test('other spellings of an e-mail give no more attempts at its account', async () => {
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

  test('sessions and keys stay valid during a lock', async () => {
    await fail(5)

    expect((await one.call({ path: '/api/auth/me' })).status).toBe(200)
    expect((await one.call({ path: '/flags/snapshot', as: { bearer: one.sdkKey } })).status).toBe(200)
  })
})

describe('unknown and known e-mails are indistinguishable', () => {
  /** Returns a whole response, except for what differs between responses. */
  const whole = ({ body, headers, status }: Answer) => ({
    status,
    body,
    headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  })
  const unknown = () => `${randomUUID()}@example.com`

  test('every attempt of a row gets the same response for unknown and known e-mails, before, in and after the lock', async () => {
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

  test('200 concurrent attempts over two instances get the same responses for unknown and known e-mails', async () => {
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

  test('the stored rows of attempts are the same for unknown and known e-mails', async () => {
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

describe('wrong current passwords and failed logins', () => {
  const changePassword = (current_password: string, on = one) =>
    on.call({ path: '/api/auth/password', body: { current_password, new_password: ADMIN.password } })

  test('a wrong current password is 403 with the remaining attempts, and the fifth failure of either kind locks', async () => {
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

  test('of 200 concurrent attempts of both kinds over two instances five are checked', async () => {
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

  test('a right current password clears the count', async () => {
    await fail(4)
    expect((await changePassword(ADMIN.password)).status).toBe(204)

    expect((await guess()).body.attempts_remaining).toBe(4)
  })

  test('a wrong current password does not count for another account', async () => {
    await changePassword('wrong one')

    expect((await guess({ email: 'somebody-else@example.com' })).body.attempts_remaining).toBe(4)
  })
})

describe('concurrent attempts to sign in', () => {
  test('of 200 concurrent wrong passwords over two instances exactly five are checked, the others are 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => guess({ on: index % 2 === 0 ? one : two })),
    )

    const checked = answers.filter(({ status }) => status === 401).map(({ body }) => body.attempts_remaining)
    expect(checked.sort()).toEqual([0, 1, 2, 3, 4])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(195)
    expect(new Set(refused.map(({ body }) => body.retry_after_seconds))).toEqual(new Set([900]))
  })

  test('concurrent right passwords are never refused as wrong', async () => {
    await fail(4)

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rightGuess({ on: index % 2 === 0 ? one : two })),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test('a right attempt that failed later does not delay the next one', async () => {
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

  test('the claim of a crashed instance expires', async () => {
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

describe('the limit of 300 failed logins a minute for an address', () => {
  test('the next attempt of the address is 429 for the rest of the minute, with the right password too', async () => {
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

  test('attempts at a locked account and successes do not count for the address', async () => {
    const address = '192.0.2.79'
    await fail(5, { address })
    await Promise.all(Array.from({ length: 310 }, () => guess({ address })))

    expect((await guess({ address, email: `${randomUUID()}@example.com` })).status).toBe(401)
  })
})

describe('the session lives for 7 days', () => {
  test('a session is 401 after 7 days, however often it was used', async () => {
    const cookie = cookieOf((await rightGuess()).headers)
    const me = () => one.call({ path: '/api/auth/me', as: { cookie } })

    clock.advance(7 * DAY_MS - 1_000)
    expect((await me()).status).toBe(200)
    clock.advance(1_000)
    expect((await me()).status).toBe(401)
  })

  test('the row of a session ends it too, whatever its cookie says', async () => {
    const cookie = cookieOf((await rightGuess()).headers)
    await database.db.updateTable('sessions').set({ expires_at: clock.now().toISOString() }).execute()

    expect((await one.call({ path: '/api/auth/me', as: { cookie } })).status).toBe(401)
  })
})

test('expired logins are pruned, and nothing else', async () => {
  await database.db.deleteFrom('sessions').execute()
  await rightGuess()
  await fail(5)
  await guess({ email: 'old@example.com' })
  const remaining = async () => {
    await deleteExpired(database.db, 'sessions', clock.now(), 100)
    await pruneFailures(database.db, clock.now(), 100)
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
