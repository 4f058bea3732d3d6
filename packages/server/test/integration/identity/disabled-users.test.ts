import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { ADMIN, type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let first: TestServer
let second: TestServer
let made = 0

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ database: first.database })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const newUser = (role: 'admin' | 'editor' = 'editor') => {
  made += 1
  const memberOf = { [first.project.id]: 'editor' } as const
  return addUser(first, { email: `disabled-${made}@example.com`, role, memberOf })
}
const disable = (id: number, body?: object) =>
  first.call({ method: 'POST', path: `/api/users/${id}/disable`, ...(body && { body }) })
const enable = (id: number) => first.call({ method: 'POST', path: `/api/users/${id}/enable` })
const logIn = (email: string, password = ADMIN.password) =>
  first.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

async function schedule(cookie: string): Promise<string> {
  made += 1
  const flags = `/api/environments/${first.environments.staging}/flags`
  await first.call({ path: flags, body: { key: `flag-${made}`, is_enabled: true }, as: { cookie } })
  const body = { scheduled_at: '2199-01-01T00:00:00Z', patch: { is_enabled: false } }
  const path = `${flags}/flag-${made}/scheduled-changes`
  const answer = await first.call({ path, body, as: { cookie } })
  expect(answer.status).toBe(200)
  return answer.body.id
}

describe('a disabled user', () => {
  test('sessions, tokens and streams end at once on every instance', async () => {
    const user = await newUser()
    const { token } = await insertToken({ server: first }, { user_id: user.id })
    const credentials = [{ cookie: user.cookie }, { authorization: `Bearer ${token}` }]
    const streams = await Promise.all(
      credentials.map((headers) => readStream(`${second.url}/stream`, headers)),
    )
    for (const stream of streams) await stream.until(({ event }) => event === 'ready')

    const answer = await disable(user.id)

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: user.id, disabled_at: expect.any(String) })
    for (const on of [first, second]) {
      expect((await on.call({ path: '/api/auth/me', as: user })).status).toBe(401)
      expect((await on.call({ path: '/api/auth/me', as: { bearer: token } })).status).toBe(401)
    }
    for (const stream of streams) await eventually(() => stream.ended())
  })

  test('only the right password says that the account is disabled', async () => {
    const user = await newUser()
    await disable(user.id)

    const wrong = await logIn(user.email, 'wrong')
    expect([wrong.status, wrong.body.attempts_remaining]).toEqual([401, 4])
    const right = await logIn(user.email)
    expect([right.status, right.body.reason]).toEqual([403, 'account_disabled'])
    expect(right.headers.get('set-cookie')).toBeNull()
    // The right password neither counts as a failure nor forgets the earlier one.
    expect((await logIn(user.email, 'wrong')).body.attempts_remaining).toBe(3)
  })

  test('an enabled user signs in again; what was ended does not come back', async () => {
    const user = await newUser()
    const { token } = await insertToken({ server: first }, { user_id: user.id })
    await disable(user.id)

    const answer = await enable(user.id)

    expect(answer.body).toMatchObject({ id: user.id, disabled_at: null })
    expect((await first.call({ path: '/api/auth/me', as: user })).status).toBe(401)
    expect((await first.call({ path: '/api/auth/me', as: { bearer: token } })).status).toBe(401)
    expect((await logIn(user.email)).status).toBe(200)
  })

  test('a login that runs while the user is disabled leaves no session', async () => {
    const user = await newUser()

    const [login] = await Promise.all([logIn(user.email), disable(user.id)])

    expect([200, 403, 503]).toContain(login.status)
    const sessions = await first.call({ path: `/api/users/${user.id}/sessions` })
    expect(sessions.body).toEqual([])
  })

  test('an unknown user is 404', async () => {
    expect((await disable(2_000_000)).status).toBe(404)
    expect((await enable(2_000_000)).status).toBe(404)
  })
})

describe('the scheduled changes of a disabled user', () => {
  test('they are listed, and stay unless the call cancels them', async () => {
    const user = await newUser()
    const ids = [await schedule(user.cookie), await schedule(user.cookie)]
    const path = `/api/users/${user.id}/scheduled-changes`

    const listed = await first.call({ path })
    expect(listed.body.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect((await disable(user.id)).body.schedules).toEqual({ kept: 2, cancelled: 0 })
    expect((await first.call({ path })).body).toHaveLength(2)

    expect((await disable(user.id, { schedules: 'cancel' })).body.schedules).toEqual({
      kept: 0,
      cancelled: 2,
    })
    expect((await first.call({ path })).body).toEqual([])
  })

  test('also more than one batch of them is listed in pages and cancelled', async () => {
    const user = await newUser()
    await schedule(user.cookie)
    await first.database.pool.query(
      `insert into scheduled_changes (id, environment_id, flag_key, scheduled_at, patch, scheduled_by, created_at)
       select gen_random_uuid(), environment_id, flag_key, scheduled_at, patch, scheduled_by, created_at
       from scheduled_changes, generate_series(1, 520) where scheduled_by = $1`,
      [user.email],
    )
    const path = `/api/users/${user.id}/scheduled-changes`
    const ids = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer = await first.call({ path: `${path}?limit=500${cursor && `&cursor=${cursor}`}` })
      for (const { id } of page.body) ids.add(id)
      cursor = page.headers.get('x-next-cursor')
    }
    expect(ids.size).toBe(521)
    expect((await disable(user.id)).body.schedules).toEqual({ kept: 521, cancelled: 0 })

    const { body } = await disable(user.id, { schedules: 'cancel' })
    expect(body.schedules).toEqual({ kept: 0, cancelled: 521 })
    expect((await first.call({ path })).body).toEqual([])
  })

  test('each cancelled change is in the audit log, with the reason', async () => {
    const user = await newUser()
    const id = await schedule(user.cookie)
    await disable(user.id, { schedules: 'cancel' })

    const audit = await first.call({ path: `/api/environments/${first.environments.staging}/audit` })
    const entry = audit.body.find(
      ({ metadata }: { metadata: { scheduled_change_id?: string } }) => metadata?.scheduled_change_id === id,
    )
    expect(entry).toMatchObject({ action: 'unschedule', actor_email: ADMIN.email })
    expect(entry.metadata.comment).toContain(user.email)
  })
})

// At the end: of two admins who disable each other, the one of the other tests may lose.
describe('the last admin', () => {
  test('admins disable neither themselves nor the last admin', async () => {
    const other = await newUser('admin')
    const admins: { id: number; email: string; role: string }[] = (await first.call({ path: '/api/users' }))
      .body
    const own = admins.find(({ email }) => email === ADMIN.email)?.id ?? 0
    expect((await disable(own)).status).toBe(422)
    expect((await disable(other.id)).status).toBe(200)

    // Those who are disabled do not count as admins who are left.
    const third = await newUser('admin')
    const path = `/api/users/${own}/disable`
    const answers = await Promise.all([
      disable(third.id),
      first.call({ method: 'POST', path, as: { cookie: third.cookie } }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})
