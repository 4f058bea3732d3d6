import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertToken } from '../../authorization/insert-token.ts'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { startLateCall } from '../../harness/start-late-call.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** Its monotonic clock moves only when a test advances it: checks do not expire by themselves. */
const clock = createManualClock(new Date().toISOString())
let first: TestServer
let second: TestServer
let project_id: string
let at: string
let member: TestUser
let token: { id: number; token: string }
let key: { id: number; key: string }
let made = 0

beforeAll(async () => {
  first = await startTestServer({ clock })
  second = await startTestServer({ database: first.database, clock })
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

/** Creates a project with a pending request, and an editor with a session, a token and a server key. */
beforeEach(async () => {
  made += 1
  const project = (await first.call({ path: '/api/projects', body: { name: `Late ${made}` } })).body
  project_id = project.id
  const [{ id: environment_id }] = project.environments
  at = `/api/environments/${environment_id}`
  await first.call({ path: `${at}/flags`, body: { key: 'flag', is_enabled: true } })
  member = await addUser(first, {
    email: `member-${made}@example.com`,
    memberOf: { [project_id]: 'editor' },
  })
  token = await insertToken({ server: first }, { user_id: member.id })
  const body = { name: 'Late', environment_id }
  key = (await first.call({ path: `/api/projects/${project_id}/keys`, body })).body
})

const session = (): As => ({ cookie: member.cookie })
const asAdmin = async (call: Parameters<TestServer['call']>[0]) => {
  const { body, status } = await first.call(call)
  expect(status, JSON.stringify(body)).toBeLessThan(300)
}
const membership = () => `/api/projects/${project_id}/members/${member.id}`

const headersOf = (as: As): Record<string, string> => {
  if (typeof as === 'string') throw new Error('this needs a signed-in caller')
  return 'bearer' in as
    ? { authorization: `Bearer ${as.bearer}` }
    : { cookie: as.cookie, 'x-flagservice-request': 'true' }
}

const start = (server: TestServer, as: As, path = '/flags/flag', body: object = { is_enabled: false }) => {
  const method = path.endsWith('/flag') ? 'PATCH' : 'POST'
  return startLateCall({ method, url: `${server.url}${at}${path}`, headers: headersOf(as), body })
}

/** Waits until the headers of earlier requests were checked. */
async function waitForAuthorization(server: TestServer, as: As): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    expect((await server.call({ path: `${at}/flags`, as })).status).toBe(200)
  }
}

const flag = async () => (await first.call({ path: `${at}/flags/flag` })).body

type Loss = readonly [string, () => As, () => Promise<unknown>, number]
const LOSSES: readonly Loss[] = [
  ['deleted', session, () => asAdmin({ method: 'DELETE', path: `/api/users/${member.id}` }), 401],
  ['removed from the project', session, () => asAdmin({ method: 'DELETE', path: membership() }), 403],
  [
    'made a viewer',
    session,
    () => asAdmin({ method: 'PATCH', path: membership(), body: { role: 'viewer' } }),
    403,
  ],
  [
    'removed from the project, with a token',
    () => ({ bearer: token.token }),
    () => asAdmin({ method: 'DELETE', path: membership() }),
    403,
  ],
  ['signed out', session, () => asAdmin({ method: 'POST', path: '/api/auth/logout', as: session() }), 401],
  [
    'deprived of the token',
    () => ({ bearer: token.token }),
    () => asAdmin({ method: 'DELETE', path: `/api/tokens/${token.id}`, as: session() }),
    401,
  ],
  [
    'deprived of the server key',
    () => ({ bearer: key.key }),
    () => asAdmin({ method: 'DELETE', path: `/api/projects/${project_id}/keys/${key.id}` }),
    401,
  ],
]

describe('bodies after a revocation', () => {
  it.each(LOSSES)('a caller who is %s meanwhile writes nothing', async (_, caller, lose, status) => {
    const as = caller()
    const before = await flag()
    const calls = [
      start(first, as),
      start(first, as, '/flags', { key: 'flag', is_enabled: false }),
      start(first, as, '/flags', { key: 'new', is_enabled: false }),
      start(first, as, '/flags/bulk', { keys: ['flag'], action: 'delete' }),
      start(first, as, '/segments', { key: 'new', name: 'New' }),
      // These declare no body, and await it nevertheless.
      start(first, as, '/flags/flag/archive', {}),
    ]
    await waitForAuthorization(first, as)
    await lose()
    expect(calls.map((call) => call.responded())).toEqual(calls.map(() => false))
    const statuses = await Promise.all(calls.map((call) => call.finish()))
    expect(statuses).toEqual(calls.map(() => status))
    expect(await flag()).toEqual(before)
    expect((await first.call({ path: `${at}/flags` })).body).toEqual([before])
    expect((await first.call({ path: `${at}/segments` })).body).toEqual([])
  })

  it.each(LOSSES)(
    'a caller who is %s on another instance writes nothing a second later',
    async (_, caller, lose, status) => {
      const as = caller()
      const before = await flag()
      const calls = [start(second, as), start(second, as, '/flags/flag/archive', {})]
      await waitForAuthorization(second, as)
      await lose()
      // Keys are known until the poll reads the change; all others are looked up each time.
      await eventually(
        async () => (await second.call({ path: `${at}/segments`, as, body: {} })).status === status,
      )
      clock.advance(1_000)
      expect(await Promise.all(calls.map((call) => call.finish()))).toEqual([status, status])
      expect(await flag()).toEqual(before)
    },
  )

  it('a refused caller does not learn what exists', async () => {
    const as = session()
    const calls = [start(first, as), start(first, as, '/flags/none/archive', {})]
    await waitForAuthorization(first, as)
    await asAdmin({ method: 'DELETE', path: `/api/users/${member.id}` })
    expect(await Promise.all(calls.map((call) => call.finish()))).toEqual([401, 401])
  })
})

describe('a body that comes late', () => {
  it('a late body is applied while the rights stay, however late it is', async () => {
    const call = start(first, session())
    await waitForAuthorization(first, session())
    clock.advance(60_000)
    expect(await call.finish()).toBe(200)
    expect((await flag()).is_enabled).toBe(false)
  })

  it('a late body uses rights that were granted meanwhile: the audit entry names the caller', async () => {
    const call = start(first, session())
    await waitForAuthorization(first, session())
    await asAdmin({ method: 'PATCH', path: membership(), body: { role: 'admin' } })
    expect(await call.finish()).toBe(200)
    const [entry] = (await first.call({ path: `${at}/audit?flag_key=flag` })).body
    expect(entry).toMatchObject({ action: 'update', actor_email: member.email })
    expect(entry.metadata.request_id).toEqual(expect.any(String))
  })

  it('a late body of a deleted environment is 404', async () => {
    const call = start(first, session())
    await waitForAuthorization(first, session())
    await asAdmin({ method: 'DELETE', path: `/api/projects/${project_id}` })
    expect(await call.finish()).toBe(404)
  })

  it('a late body counts once against a limit of requests', async () => {
    const env = { RATE_LIMIT_REQUESTS: '3' }
    const limited = await startTestServer({ database: first.database, clock, env })
    try {
      const call = start(limited, session())
      const other = async () => (await limited.call({ path: '/api/auth/me', as: session() })).status
      expect(await other()).toBe(200)
      // Its check has expired, and is repeated.
      clock.advance(2_000)
      expect(await call.finish()).toBe(200)
      expect([await other(), await other()]).toEqual([200, 429])
    } finally {
      await limited.close()
    }
  })
})
