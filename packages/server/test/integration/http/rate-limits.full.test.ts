import { afterEach, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** The monotonic clock moves only when a test advances it, so that a minute ends when a test decides. */
let clock: ManualClock
let server: TestServer

async function start(env: Record<string, string>) {
  clock = createManualClock(new Date().toISOString())
  server = await startTestServer({ clock, env: { LOG_LEVEL: 'error', ...env } })
}
afterEach(() => server.close())

async function inTurn(count: number, call: Call): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let sent = 0; sent < count; sent += 1) answers.push(await server.call(call))
  return answers
}
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)
const withKey = () => ({ bearer: server.sdkKey })

describe('RATE_LIMIT_REQUESTS', () => {
  it('a principal above so many requests a minute gets 429, retry_after_seconds and Retry-After', async () => {
    await start({ RATE_LIMIT_REQUESTS: '3' })
    const flags = `/api/environments/${server.environments.production}/flags`

    const answers = await inTurn(4, { path: flags, as: withKey() })

    expect(statuses(answers)).toEqual([200, 200, 200, 429])
    const refused = answers[3]
    expect(refused?.body).toEqual({ error: expect.any(String), retry_after_seconds: 60 })
    expect(refused?.headers.get('retry-after')).toBe('60')
    // Other principals have their own count; requests without a credential are not limited.
    expect((await server.call({ path: '/api/auth/me' })).status).toBe(200)
    expect(statuses(await inTurn(5, { path: '/health', as: withKey() }))).toEqual([200, 200, 200, 200, 200])
    expect(statuses(await inTurn(5, { path: flags, as: 'anonymous' }))).toEqual([401, 401, 401, 401, 401])
    clock.advance(60_000)
    expect((await server.call({ path: flags, as: withKey() })).status).toBe(200)
  })

  it("a user's sessions and tokens count together, before CSRF, existence, access and body are checked", async () => {
    await start({ RATE_LIMIT_REQUESTS: '2' })
    const viewer = await addUser(server, { email: 'viewer@example.com' })
    const again = await server.call({
      path: '/api/auth/login',
      body: { email: viewer.email, password: 'correct horse battery' },
      as: 'anonymous',
    })
    const otherCookie = again.headers.get('set-cookie')?.split(';')[0] ?? ''

    await server.call({ path: '/api/auth/me', as: { cookie: viewer.cookie } })
    await server.call({ path: '/api/auth/me', as: { cookie: otherCookie } })

    const calls: Call[] = [
      { method: 'POST', path: '/api/projects', as: 'anonymous', headers: { cookie: viewer.cookie } },
      {
        path: '/api/projects/00000000-0000-4000-8000-000000000000/environments',
        as: { cookie: viewer.cookie },
      },
      { path: '/api/users', as: { cookie: viewer.cookie } },
      { path: '/api/projects', body: '{', as: { cookie: otherCookie } },
    ]
    for (const call of calls) expect((await server.call(call)).status, call.path).toBe(429)
    expect((await server.call({ path: '/api/auth/me' })).status).toBe(200)
  })

  it('requests that are refused otherwise count too', async () => {
    await start({ RATE_LIMIT_REQUESTS: '2' })
    expect(statuses(await inTurn(3, { path: '/api/users', as: withKey() }))).toEqual([403, 403, 429])
  })

  it('snapshots that are answered from memory count once each', async () => {
    await start({ RATE_LIMIT_REQUESTS: '4' })
    const call = { path: '/flags/snapshot', as: withKey() }
    expect(statuses(await inTurn(6, call))).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('opening a stream counts as one request', async () => {
    await start({ RATE_LIMIT_REQUESTS: '1' })
    const stop = new AbortController()
    const url = `${server.url}/stream?sdk_key=${server.sdkKey}`
    const opened = await fetch(url, { signal: stop.signal })
    const refused = await fetch(url)
    stop.abort()

    expect([opened.status, refused.status]).toEqual([200, 429])
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    await refused.text()
  })
})

describe('requests without a rate limit', () => {
  it('without a setting nothing is limited', async () => {
    await start({})
    const answers = await inTurn(400, { path: '/flags/snapshot', as: withKey() })
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
  })

  it('RATE_LIMIT_INGEST does not limit other requests', async () => {
    await start({ RATE_LIMIT_INGEST: '1' })
    expect(statuses(await inTurn(3, { path: '/flags/snapshot', as: withKey() }))).toEqual([200, 200, 200])
  })
})
