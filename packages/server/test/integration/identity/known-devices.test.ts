import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts'
import {
  ADMIN,
  type Answer,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const MINUTE_MS = 60_000

let clock: ManualClock
let server: TestServer

beforeAll(async () => {
  clock = createManualClock(new Date().toISOString())
  server = await startTestServer({ clock, env: { COOKIE_SECURE: 'true' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('login_failures').execute()
  clock.advance(MINUTE_MS)
})

interface Login {
  readonly email?: string
  readonly password?: string
  /** The device cookie of the browser. */
  readonly device?: string | undefined
}

const logIn = ({ device, email = ADMIN.email, password = ADMIN.password }: Login = {}) =>
  server.call({
    path: '/api/auth/login',
    body: { email, password },
    as: 'anonymous',
    headers: device === undefined ? {} : { cookie: device },
  })

const deviceHeaderOf = ({ headers }: Answer): string =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('lg_device=')) ?? ''
const deviceOf = (answer: Answer): string => deviceHeaderOf(answer).split(';')[0] ?? ''

async function fail(times: number, login: Login = {}): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) {
    statuses.push((await logIn({ password: 'wrong guess', ...login })).status)
  }
  return statuses
}

const lockOutFromElsewhere = (email: string = ADMIN.email) => fail(5, { email })

const lockOf = async (email: string): Promise<unknown> => {
  const users = await server.call({ path: '/api/users' })
  return users.body.find((user: { email: string }) => user.email === email)?.locked_until
}

const idOf = async (email: string): Promise<number> => {
  const users = await server.call({ path: '/api/users' })
  return users.body.find((user: { email: string }) => user.email === email)?.id
}

describe('a browser that has signed in', () => {
  it('a known browser gets a cookie that only the login receives, no script reads, and that reveals nothing', async () => {
    const header = deviceHeaderOf(await logIn())

    expect(header).toMatch(/^lg_device=v1\.[\w-]+; /)
    expect(header.split('; ').slice(1)).toEqual([
      'Max-Age=34560000',
      'Path=/api/auth',
      'HttpOnly',
      'SameSite=Strict',
      'Secure',
    ])
  })

  it('a known browser signs in while the account is locked from elsewhere, without ending that lock', async () => {
    const device = deviceOf(await logIn())
    await lockOutFromElsewhere()

    expect((await logIn()).status).toBe(429)
    expect((await logIn({ device })).status).toBe(200)
    expect((await logIn()).status).toBe(429)
  })

  it('a known browser has its own count: five failures lock only it, for 15 minutes', async () => {
    const device = deviceOf(await logIn())
    const answers: Answer[] = []
    for (let count = 0; count < 6; count += 1) answers.push(await logIn({ device, password: 'wrong guess' }))

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers.map(({ body }) => body.attempts_remaining)).toEqual([4, 3, 2, 1, 0, undefined])
    expect(answers.at(-1)?.body.retry_after_seconds).toBe(900)
    expect((await logIn({ device })).status).toBe(429)
    expect((await logIn()).status).toBe(200)
    clock.advance(15 * MINUTE_MS)
    expect((await logIn({ device })).status).toBe(200)
  })

  it('a known browser keeps its identity over logins, and a success clears the count', async () => {
    const first = deviceOf(await logIn())
    await fail(4, { device: first })
    const second = deviceOf(await logIn({ device: first }))
    await fail(5, { device: second })

    expect((await logIn({ device: first })).status).toBe(429)
  })

  it('a known browser is not known for another account, but can be known for several', async () => {
    const grace = await addUser(server, { email: 'grace@example.com' })
    const device = deviceOf(await logIn())
    await lockOutFromElsewhere(grace.email)
    expect((await logIn({ email: grace.email, device })).status).toBe(429)

    clock.advance(15 * MINUTE_MS)
    const both = deviceOf(await logIn({ email: grace.email, device }))
    await lockOutFromElsewhere(grace.email)
    await lockOutFromElsewhere()
    expect((await logIn({ email: grace.email, device: both })).status).toBe(200)
    expect((await logIn({ device: both })).status).toBe(200)
  })

  it('a known browser becomes unknown after a change of password, except the one that changed it', async () => {
    const alan = await addUser(server, { email: 'alan@example.com' })
    const password = 'another long password'
    const login = { email: alan.email, password: ADMIN.password }
    const [mine, other] = [deviceOf(await logIn(login)), deviceOf(await logIn(login))]
    const changed = await server.call({
      path: '/api/auth/password',
      body: { current_password: ADMIN.password, new_password: password },
      as: { cookie: alan.cookie },
    })
    const kept = deviceOf(changed)
    await lockOutFromElsewhere(alan.email)

    for (const device of [mine, other]) {
      expect((await logIn({ email: alan.email, password, device })).status).toBe(429)
    }
    expect((await logIn({ email: alan.email, password, device: kept })).status).toBe(200)
  })

  it('a known browser changes the password of a locked account, and stays known for its other accounts', async () => {
    const mary = await addUser(server, { email: 'mary@example.com' })
    const first = deviceOf(await logIn())
    const answer = await logIn({ email: mary.email, device: first })
    const both = deviceOf(answer)
    await lockOutFromElsewhere(mary.email)
    await lockOutFromElsewhere()

    const password = 'one more long password'
    const changed = await server.call({
      path: '/api/auth/password',
      body: { current_password: ADMIN.password, new_password: password },
      as: { cookie: `${cookieOf(answer.headers)}; ${both}` },
    })
    expect(changed.status).toBe(204)
    const device = deviceOf(changed)
    expect((await logIn({ email: mary.email, password, device })).status).toBe(200)
    expect((await logIn({ device })).status).toBe(200)
  })

  it('a known browser becomes unknown once an admin has set another password', async () => {
    const ida = await addUser(server, { email: 'ida@example.com' })
    const device = deviceOf(await logIn({ email: ida.email }))
    const password = 'another long password'
    await server.call({
      method: 'PATCH',
      path: `/api/users/${await idOf(ida.email)}`,
      body: { password },
    })
    await lockOutFromElsewhere(ida.email)

    expect((await logIn({ email: ida.email, password, device })).status).toBe(429)
  })
})

describe('a device cookie that this server did not seal', () => {
  it.each([
    'lg_device=',
    'lg_device=v1.AAAA',
    'lg_device=[["x",1,1]]',
    `lg_device=${'x'.repeat(5_000)}`,
    'lg_device=%E0%A4%A',
  ])('a forged device cookie changes nothing: %s', async (device) => {
    await lockOutFromElsewhere()
    expect((await logIn({ device })).status).toBe(429)
  })

  it('a device cookie with a sealed session changes nothing', async () => {
    const session = server.cookie.replace('lg_session', 'lg_device')
    await lockOutFromElsewhere()
    expect((await logIn({ device: session })).status).toBe(429)
  })

  it('an e-mail cannot be chosen to count against a known browser', async () => {
    const device = deviceOf(await logIn())
    await fail(1, { device })
    const { email: key } = await server.database.db
      .selectFrom('login_failures')
      .select('email')
      .where('user_id', 'is not', null)
      .executeTakeFirstOrThrow()
    await fail(5, { email: key })

    expect((await logIn({ device })).status).toBe(200)
  })
})

describe('locks of logins for admins', () => {
  const unlock = async (email: string) =>
    server.call({ method: 'POST', path: `/api/users/${await idOf(email)}/unlock` })

  it('an admin sees the end of a lock, and nothing before or after', async () => {
    expect(await lockOf(ADMIN.email)).toBeNull()
    await fail(4)
    expect(await lockOf(ADMIN.email)).toBeNull()
    await fail(1)
    expect(await lockOf(ADMIN.email)).toBe(new Date(clock.now().getTime() + 15 * MINUTE_MS).toISOString())
    clock.advance(15 * MINUTE_MS)
    expect(await lockOf(ADMIN.email)).toBeNull()
  })

  it('an admin sees the lock of a known browser too', async () => {
    const device = deviceOf(await logIn())
    await fail(5, { device })
    expect(await lockOf(ADMIN.email)).not.toBeNull()
  })

  it('an admin ends the locks of the account and of known browsers, and counting restarts', async () => {
    const device = deviceOf(await logIn())
    await fail(5, { device })
    await lockOutFromElsewhere()

    expect((await unlock(ADMIN.email)).status).toBe(204)

    expect(await lockOf(ADMIN.email)).toBeNull()
    expect(await fail(5)).toEqual([401, 401, 401, 401, 401])
    expect((await logIn({ device })).status).toBe(200)
  })

  it('unlocking an account without locks changes nothing; an unknown user is 404', async () => {
    expect((await unlock(ADMIN.email)).status).toBe(204)
    expect((await server.call({ method: 'POST', path: '/api/users/999999/unlock' })).status).toBe(404)
  })

  it('unlocking leaves an audit entry', async () => {
    await lockOutFromElsewhere()
    await unlock(ADMIN.email)
    const { metadata } = await server.database.db
      .selectFrom('audit_log')
      .select('metadata')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(metadata).toMatchObject({ resource: `user:${await idOf(ADMIN.email)}`, login_lock: 'ended' })
  })
})
