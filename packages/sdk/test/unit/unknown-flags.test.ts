import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client-options.ts'
import { CLOSE_TIMEOUT_MS } from '../../src/reporting/reporter.ts'
import { FIRST_REPORT_MS, REPORT_EVERY_MS } from '../../src/reporting/unknown-flags.ts'
import { bootstrap, type FlagServer, openStream, startFlagServer } from './support/flag-server.ts'
import { flag } from './support/flags.ts'
import * as start from './support/start-client.ts'
import { testPlatform } from './support/test-platform.ts'
import { until } from './support/until.ts'

let server: FlagServer
const started: start.StartedClient[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on')])
})
afterEach(async () => {
  const closing = started.splice(0).map(({ client, platform }) => {
    const closed = client.close()
    platform.clock.advance(CLOSE_TIMEOUT_MS)
    return closed
  })
  await Promise.all(closing)
  await server.close()
})

function clientOf(options: Partial<ClientOptions> = {}): start.StartedClient {
  const one = start.clientOf(server, options)
  started.push(one)
  return one
}

async function connectedClient(options: Partial<ClientOptions> = {}): Promise<start.StartedClient> {
  const one = clientOf(options)
  await one.client.connect()
  return one
}

const acks = () => server.requests('/sdk/ack')
/** The reports without the id of the client, which each of them has. */
const reported = () =>
  acks().map(({ body }) => {
    const { client, ...report } = JSON.parse(body)
    expect(client).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    return report
  })
const nextAck = async ({ platform }: start.StartedClient, ms: number): Promise<void> => {
  const before = acks().length
  platform.clock.advance(ms)
  await until(() => acks().length > before)
}

describe('flags that the server does not have', () => {
  it('are counted by key and reported together', async () => {
    const one = await connectedClient()
    one.client.isEnabled('sarch', 'u1')
    one.client.getVariant('sarch', 'u2')
    one.client.evaluate('chekout', null)
    one.client.isEnabled('on', 'u1')
    await nextAck(one, FIRST_REPORT_MS)

    expect(acks()).toMatchObject([
      { method: 'POST', path: '/sdk/ack', headers: { authorization: 'Bearer sk_live_test' } },
    ])
    expect(reported()).toEqual([
      {
        unknown: [
          ['sarch', 2],
          ['chekout', 1],
        ],
      },
    ])
  })

  it('are reported at most once a minute, and only while there are some', async () => {
    const one = await connectedClient()
    one.client.isEnabled('sarch', 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    one.client.isEnabled('sarch', 'u1')
    one.platform.clock.advance(REPORT_EVERY_MS - 1)
    one.client.isEnabled('sarch', 'u1')
    await nextAck(one, 1)
    one.platform.clock.advance(10 * REPORT_EVERY_MS)

    expect(reported()).toEqual([{ unknown: [['sarch', 1]] }, { unknown: [['sarch', 2]] }])
  })

  it('are not counted while the flags are not loaded, and not offline', async () => {
    let open = () => {}
    server.onStream = (response) => {
      open = () => openStream(response, bootstrap(server.flags))
    }
    const one = clientOf()
    const connecting = one.client.connect()
    await until(() => server.requests('/stream').length === 1)
    one.client.isEnabled('on', 'u1')
    one.client.isEnabled('sarch', 'u1')
    open()
    await connecting
    one.client.isEnabled('later', 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    expect(reported()).toEqual([{ unknown: [['later', 1]] }])

    const offline = await connectedClient({ offline: true })
    offline.client.isEnabled('sarch', 'u1')
    expect(offline.platform.clock.due()).toEqual([])
  })

  it('neither overrides nor flags that exist are unknown', async () => {
    const one = await connectedClient({ overrides: { mine: true } })
    one.client.isEnabled('mine', 'u1')
    one.client.isEnabled('on', 'u1')
    one.client.allFlags('u1')
    one.platform.clock.advance(REPORT_EVERY_MS)
    await one.client.flush()
    expect(acks()).toEqual([])
  })

  it('are not impressions', async () => {
    const one = await connectedClient()
    one.client.isEnabled('sarch', 'u1')
    await one.client.flush()
    expect(one.client.status.impressions).toEqual({ pending: 0, dropped: 0 })
    expect(server.requests('/impressions')).toEqual([])
  })

  it('at most 100 keys are kept until the next report', async () => {
    const one = await connectedClient()
    for (let nth = 0; nth < 150; nth++) one.client.isEnabled(`f${nth}`, 'u1')
    one.client.isEnabled('f7', 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    const [{ unknown }] = reported()
    expect(unknown).toHaveLength(100)
    expect(unknown[7]).toEqual(['f7', 2])
  })

  it('long and odd keys are cut to what the server takes', async () => {
    const one = await connectedClient()
    const untyped = one.client as unknown as { isEnabled(flagKey: unknown, userKey: string): boolean }
    for (const key of [null, 7, '', {}]) untyped.isEnabled(key, 'u1')
    one.client.isEnabled('😀'.repeat(200), 'u1')
    one.client.isEnabled('a\u0000b', 'u1')
    for (let nth = 0; nth < 90; nth++) one.client.isEnabled(`${nth}${'ü'.repeat(200)}`, 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    const [{ unknown }] = reported()
    expect(unknown.slice(0, 2)).toEqual([
      ['😀'.repeat(100), 1],
      ['a\ufffdb', 1],
    ])
    expect(Buffer.byteLength(acks()[0]?.body ?? '')).toBeLessThanOrEqual(8_192)
    expect(unknown.length).toBeGreaterThan(20)
  })

  it('a report that fails is not repeated and raises no error', async () => {
    server.onIngest = () => ({ status: 503 })
    const one = await connectedClient()
    one.client.isEnabled('sarch', 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    one.platform.clock.advance(10 * REPORT_EVERY_MS)
    one.client.isEnabled('later', 'u1')
    await nextAck(one, REPORT_EVERY_MS)
    expect(reported()).toEqual([{ unknown: [['sarch', 1]] }, { unknown: [['later', 1]] }])
    expect(one.errors.filter(({ message }) => message.includes('ack'))).toEqual([])
  })

  it('a server without the endpoint gets no further report on this connection', async () => {
    server.onIngest = () => ({ status: 404 })
    const received: number[] = []
    const platform = testPlatform({
      async fetch(...request) {
        const response = await fetch(...request)
        received.push(response.status)
        return response
      },
    })
    const one = start.clientOf(server, {}, platform)
    started.push(one)
    await one.client.connect()
    one.client.isEnabled('sarch', 'u1')
    await nextAck(one, FIRST_REPORT_MS)
    await until(() => received.includes(404))
    const due = platform.clock.due().length
    one.client.isEnabled('sarch', 'u1')
    expect(platform.clock.due()).toHaveLength(due)
    const before = acks().length
    one.platform.clock.advance(2 * REPORT_EVERY_MS)
    expect(acks()).toHaveLength(before)

    const readies = one.events.filter((name) => name === 'ready').length
    server.drop()
    await until(() => one.events.includes('stale'))
    one.platform.clock.advance(1_000)
    await until(() => one.events.filter((name) => name === 'ready').length > readies)
    one.client.isEnabled('sarch', 'u1')
    await nextAck(one, REPORT_EVERY_MS)
  })

  it('close() sends the first report, and stops', async () => {
    const one = await connectedClient()
    one.client.isEnabled('sarch', 'u1')
    const closed = one.client.close()
    await until(() => acks().length === 1)
    await closed
    one.client.isEnabled('sarch', 'u1')
    // The response to the report may be on its way; no other timer is left.
    await until(() => one.platform.clock.due().length === 0)
    expect(reported()).toEqual([{ unknown: [['sarch', 1]] }])
  })
})
