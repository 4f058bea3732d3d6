import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../harness/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
afterEach(() => server.close())

const start = async (env: Record<string, string>) => {
  server = await startTestServer({ clock: createManualClock(new Date().toISOString()), env })
}

const randomKey = () => `sk_live_${randomUUID()}`

interface Sender {
  readonly bearer?: string
  /** The address as the proxy in front of the server forwards it. */
  readonly forwardedFor: string
}

const send = async ({ bearer = randomKey(), forwardedFor }: Sender) =>
  server.call({ path: '/flags/snapshot', as: { bearer }, headers: { 'x-forwarded-for': forwardedFor } })

const statusOf = async (sender: Sender) => (await send(sender)).status

describe('RATE_LIMIT_UNKNOWN_BEARERS', () => {
  it('RATE_LIMIT_UNKNOWN_BEARERS refuses an address with 429 and Retry-After, but not its valid keys', async () => {
    await start({ RATE_LIMIT_UNKNOWN_BEARERS: '2' })
    const call = (bearer: string) => server.call({ path: '/flags/snapshot', as: { bearer } })
    expect((await call(server.sdkKey)).status).toBe(200)

    expect((await call(randomKey())).status).toBe(401)
    expect((await call(`pat_${randomUUID()}`)).status).toBe(401)
    const refused = await call(randomKey())

    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ error: expect.any(String), retry_after_seconds: 60 })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await call(server.sdkKey)).status).toBe(200)
    expect((await call('nonsense')).status).toBe(401)
  })

  it('RATE_LIMIT_UNKNOWN_BEARERS applies to the query parameter of a stream too', async () => {
    await start({ RATE_LIMIT_UNKNOWN_BEARERS: '1' })
    const open = (key: string) => server.call({ path: `/stream?sdk_key=${key}`, as: 'anonymous' })
    expect((await open(randomKey())).status).toBe(401)
    expect((await open(randomKey())).status).toBe(429)
  })

  it('RATE_LIMIT_UNKNOWN_BEARERS counts all addresses of a /64 together, and an IPv4 address in any notation', async () => {
    await start({ RATE_LIMIT_UNKNOWN_BEARERS: '1', TRUST_PROXY: 'true' })
    expect(await statusOf({ forwardedFor: '2001:db8:1:2::1' })).toBe(401)
    expect(await statusOf({ forwardedFor: '2001:db8:1:2:ffff::9' })).toBe(429)
    expect(await statusOf({ forwardedFor: '2001:db8:1:3::1' })).toBe(401)

    expect(await statusOf({ forwardedFor: '192.0.2.1' })).toBe(401)
    expect(await statusOf({ forwardedFor: '::ffff:192.0.2.1' })).toBe(429)
    expect(await statusOf({ forwardedFor: '192.0.2.1:4711' })).toBe(429)
  })

  it.each([
    ['false', '192.0.2.1', '192.0.2.2'],
    // A client can send any header; the proxy appends the client's address.
    ['true', '192.0.2.1, 198.51.100.7', '192.0.2.2, 198.51.100.7'],
    ['2', '192.0.2.1, 198.51.100.7, 10.0.0.1', '192.0.2.2, 198.51.100.7, 10.0.0.1'],
    ['127.0.0.1', '192.0.2.1, 198.51.100.7', '192.0.2.2, 198.51.100.7'],
    ['true', 'no-address-1', 'no-address-2'],
  ])('with TRUST_PROXY=%s takes %j and %j for one address', async (TRUST_PROXY, first, second) => {
    await start({ RATE_LIMIT_UNKNOWN_BEARERS: '1', TRUST_PROXY })
    expect(await statusOf({ forwardedFor: first })).toBe(401)
    expect(await statusOf({ forwardedFor: second })).toBe(429)
  })
})
