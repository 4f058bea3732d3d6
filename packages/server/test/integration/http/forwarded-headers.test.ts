import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendWireRequest } from '../../fuzz/send-wire-request.ts'
import { longestLogLine } from '../../harness/longest-log-line.ts'
import { ADMIN, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const LONG = 15_000
const repeat = (text: string) => text.repeat(Math.floor(LONG / text.length))
const LOG_LINE_MAX_CHARACTERS = 8_000
const UNKNOWN_BEARERS = 3
const CLIENT = '198.51.100.7'

type Headers = Readonly<Record<string, string | readonly string[]>>

/** Headers that a client can send in front of what the proxy appends. */
const FORGED: readonly (readonly [string, Headers])[] = [
  ['no address', { 'x-forwarded-for': 'unknown' }],
  ['nothing', { 'x-forwarded-for': '' }],
  ['commas alone', { 'x-forwarded-for': repeat(',') }],
  ['a long word', { 'x-forwarded-for': repeat('a') }],
  ['a thousand addresses', { 'x-forwarded-for': repeat('192.0.2.1, ') }],
  ['an address that is half written', { 'x-forwarded-for': '[::1' }],
  ['a zone of 15 KB', { 'x-forwarded-for': `fe80::1%${repeat('a')}` }],
  ['a number too large', { 'x-forwarded-for': '::ffff:999.1.1.1' }],
  ['a port of 15 KB', { 'x-forwarded-for': `192.0.2.1:${repeat('9')}` }],
  ['bytes that are no ASCII', { 'x-forwarded-for': '\u00ff\u00fe\u0080' }],
  ['several headers', { 'x-forwarded-for': ['192.0.2.1', repeat('192.0.2.2,')] }],
  ['a host of 15 KB', { 'x-forwarded-host': repeat('a') }],
  ['a host that is none', { 'x-forwarded-host': 'a/b?c#d@e:x' }],
  ['hosts', { 'x-forwarded-host': repeat('a.example, ') }],
  ['a scheme that is none', { 'x-forwarded-proto': 'javascript' }],
  ['schemes', { 'x-forwarded-proto': repeat('https,') }],
  ['a port that is none', { 'x-forwarded-port': repeat('9') }],
  ['Forwarded', { forwarded: `for="[::1]";proto=https;host=a.example${repeat(', for=192.0.2.1')}` }],
  ['Forwarded that is none', { forwarded: repeat('"=;') }],
  ['X-Real-IP', { 'x-real-ip': repeat('1') }],
]

const agent = new Agent({ keepAlive: true })
let server: TestServer

beforeAll(async () => {
  const env = { LOG_LEVEL: 'info', TRUST_PROXY: 'true', RATE_LIMIT_UNKNOWN_BEARERS: String(UNKNOWN_BEARERS) }
  server = await startTestServer({ env })
})
afterAll(async () => {
  agent.destroy()
  await server.close()
})

interface Sent {
  readonly path: string
  readonly headers: Headers
  readonly json?: object
}

const send = ({ headers, json, path }: Sent) =>
  sendWireRequest(
    { agent, url: server.url },
    {
      method: json ? 'POST' : 'GET',
      path,
      headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
      body: json && Buffer.from(JSON.stringify(json)),
    },
  )

const statusOf = async (sent: Sent): Promise<number> => (await send(sent)).status

describe.each(FORGED)('with TRUST_PROXY=true a request with forged headers (%s)', (_about, forged) => {
  it('forged headers do not change the response', async () => {
    const bearer = { authorization: `Bearer ${server.sdkKey}` }
    expect(await statusOf({ path: '/health', headers: forged })).toBe(200)
    expect(await statusOf({ path: '/flags/snapshot', headers: { ...forged, ...bearer } })).toBe(200)
    expect(await statusOf({ path: '/api/projects', headers: { ...forged, cookie: server.cookie } })).toBe(200)
    expect(await statusOf({ path: '/api/projects', headers: forged })).toBe(401)
    const login = { email: ADMIN.email, password: ADMIN.password }
    const answer = await send({ path: '/api/auth/login', headers: forged, json: login })
    expect(answer.status).toBe(200)
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^lg_session=[\w.-]+; /)
    expect(await statusOf({ path: '/', headers: { ...forged, accept: 'text/html' } })).toBeLessThan(500)
  })
})

describe('TRUST_PROXY=true and forged hops', () => {
  const tryKey = (forwardedFor: string | readonly string[]) =>
    statusOf({
      path: '/flags/snapshot',
      headers: { authorization: `Bearer sk_live_${randomUUID()}`, 'x-forwarded-for': forwardedFor },
    })

  it('forged hops create no addresses, however many there are and in however many headers', async () => {
    const statuses: number[] = []
    for (let nth = 0; nth <= UNKNOWN_BEARERS; nth += 1)
      statuses.push(await tryKey(`${`10.0.0.${nth}, `.repeat(1_000)}${CLIENT}`))
    expect(statuses).toEqual([...Array(UNKNOWN_BEARERS).fill(401), 429])
    expect(await tryKey(['10.0.1.1', `10.0.1.2, ${CLIENT}`])).toBe(429)
    expect(await tryKey([repeat('10.0.1.3,'), CLIENT])).toBe(429)
    expect(await tryKey('198.51.100.8')).toBe(401)
  })

  it('forged hops make no long lines in the log', () => {
    expect(longestLogLine(server)).toBeLessThan(LOG_LINE_MAX_CHARACTERS)
  })
})
