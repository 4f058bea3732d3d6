import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { REQUEST_TIMEOUT_MS } from '../../src/request.ts'
import { POLL_INTERVAL_MS } from '../../src/stream/poll-snapshots.ts'
import { ENVIRONMENT_ID, type FlagServer, type Reply, startFlagServer } from './support/flag-server.ts'
import { flag } from './support/flags.ts'
import { clientOf, type StartedClient } from './support/start-client.ts'
import { type TestPlatform, testPlatform } from './support/test-platform.ts'
import { until } from './support/until.ts'

let server: FlagServer
const clients: Client[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on')])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server.close()
})

function started(options: Partial<ClientOptions>, platform?: TestPlatform): StartedClient {
  const start = clientOf(server, options, platform)
  clients.push(start.client)
  return start
}

const polls = () => server.requests('/flags/snapshot')
const switchOff = (revision: number) => {
  server.flags = [flag('on', { is_enabled: false, revision })]
}
const answer = (reply: Reply | null) => {
  server.onSnapshot = reply && (() => reply)
}

describe("connection: 'poll'", () => {
  it('a polling client never opens a stream, and asks in intervals by ETag', async () => {
    const { client, platform, events, updates } = started({ connection: 'poll', pollIntervalMs: 60_000 })
    await client.connect()
    expect(client.status).toMatchObject({
      state: 'live',
      isReady: true,
      isPolling: true,
      environmentId: ENVIRONMENT_ID,
    })

    await until(() => platform.clock.due().includes(60_000))
    platform.clock.advance(60_000)
    await until(() => polls().length === 2 && platform.clock.due().includes(60_000))
    expect(polls()[1]?.headers['if-none-match']).toMatch(/^"/)
    expect(events).toEqual(['ready'])

    switchOff(2)
    platform.clock.advance(60_000)
    await until(() => !client.isEnabled('on', 'u'))
    expect([updates, server.requests('/stream')]).toEqual([[['on']], []])
  })

  it.each([
    [0, 0.9],
    [0.999_999, 1.1],
  ])('intervals vary by a tenth: randomness of %d', async (random, factor) => {
    const { client, platform } = started({ connection: 'poll' }, testPlatform({ random }))
    await client.connect()

    await until(() =>
      platform.clock.due().some((ms) => Math.abs(ms - factor * POLL_INTERVAL_MS) < POLL_INTERVAL_MS / 1_000),
    )
  })

  it.each([
    [1, 1_000],
    [Number.NaN, POLL_INTERVAL_MS],
    [Number.POSITIVE_INFINITY, 86_400_000],
    [-5, 1_000],
  ])('an interval of %d is within bounds', async (pollIntervalMs, expected) => {
    const { client, platform } = started({ connection: 'poll', pollIntervalMs })
    await client.connect()

    await until(() => platform.clock.due().includes(expected))
  })

  it('before the first snapshot, attempts follow each other sooner than the interval', async () => {
    answer({ status: 503 })
    const { client, platform, errors } = started({ connection: 'poll', pollIntervalMs: 600_000 })
    const connecting = client.connect()
    await until(() => errors.length === 1 && platform.clock.due().includes(500))
    answer(null)
    platform.clock.advance(500)
    await connecting

    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it.each([
    [{ status: 429, headers: { 'retry-after': '120' } }, 120_000],
    [{ status: 503, headers: { 'retry-after': '999999999' } }, 3_600_000],
    [{ status: 503, headers: { 'retry-after': 'soon' } }, POLL_INTERVAL_MS],
    [{ status: 500 }, POLL_INTERVAL_MS],
    [{ status: 404 }, POLL_INTERVAL_MS],
    [{ status: 200, body: '<html>' }, POLL_INTERVAL_MS],
    [{ status: 200, body: '{}' }, POLL_INTERVAL_MS],
  ])('after %o the last flags stay in use, and the next poll waits', async (reply, waitMs) => {
    const { client, platform, events, errors } = started({ connection: 'poll', impressions: 'off' })
    await client.connect()
    await until(() => platform.clock.due().includes(POLL_INTERVAL_MS))
    answer(reply)
    platform.clock.advance(POLL_INTERVAL_MS)
    await until(() => errors.length === 1 && platform.clock.due().includes(waitMs))

    expect([client.isEnabled('on', 'u'), client.status.state]).toEqual([true, 'waiting'])
    answer(null)
    platform.clock.advance(waitMs)
    await until(() => client.status.state === 'live')
    expect(events).toEqual(['ready', 'error', 'stale', 'ready'])
    expect(client.status.lastError).toBe(null)
  })

  it.each([401, 403])(
    'a key that is refused with %i rejects connect(), and is tried again',
    async (status) => {
      answer({ status })
      const { client, platform } = started({ connection: 'poll' })
      await expect(client.connect()).rejects.toMatchObject({ status })
      expect(client.status.state).toBe('unauthorized')

      await until(() => platform.clock.due().includes(POLL_INTERVAL_MS))
      answer(null)
      platform.clock.advance(POLL_INTERVAL_MS)
      await until(() => client.status.state === 'live')
      expect(client.isEnabled('on', 'u')).toBe(true)
    },
  )

  it('a snapshot that does not arrive ends after its timeout', async () => {
    server.onSnapshot = () => new Promise(() => {})
    const { client, platform, errors } = started({ connection: 'poll' })
    void client.connect()
    await until(() => polls().length === 1)
    platform.clock.advance(REQUEST_TIMEOUT_MS)
    await until(() => errors.length === 1)

    expect(errors[0]?.message).toContain('no end within 10000 ms')
  })

  it('close() ends polling, also while a snapshot is on its way', async () => {
    server.onSnapshot = () => new Promise(() => {})
    const { client, platform, errors } = started({ connection: 'poll' })
    void client.connect()
    await until(() => polls().length === 1)
    await client.close()

    await until(() => platform.clock.due().length === 0)
    expect([errors, client.status.state, client.status.isPolling]).toEqual([[], 'closed', false])
  })
})

describe("connection: 'manual'", () => {
  it('a manual client has no timers and sends only what it is asked to', async () => {
    const { client, platform } = started({ connection: 'manual' })
    await client.connect()
    client.isEnabled('on', 'u')
    client.isEnabled('unknown', 'u')
    client.track('bought', 'u')

    expect([platform.clock.due(), server.received.map(({ path }) => path)]).toEqual([[], ['/flags/snapshot']])
    await client.flush()
    expect(server.ingested('/impressions').flat()).toHaveLength(1)
    expect(server.ingested('/events').flat()).toHaveLength(1)
    expect(JSON.parse(server.requests('/sdk/ack')[0]?.body ?? '')).toEqual({ unknown: [['unknown', 1]] })

    client.isEnabled('unknown', 'u')
    await client.flush()
    expect([server.requests('/sdk/ack').length, platform.clock.due()]).toEqual([1, []])
  })

  it('reports of a manual client have the time of their evaluation', async () => {
    const { client, platform } = started({ connection: 'manual' })
    await client.connect()
    client.isEnabled('on', 'u')
    platform.clock.advance(60_000)
    client.isEnabled('on', 'v')
    await client.flush()

    const [first, second] = server.ingested('/impressions').flat()
    const times = [first, second].map((each) => Date.parse(String(each?.evaluated_at)))
    expect(Number(times[1]) - Number(times[0])).toBe(60_000)
  })

  it('refresh() asks by ETag, once for calls at the same time', async () => {
    const { client, updates } = started({ connection: 'manual' })
    await client.refresh()
    await Promise.all([client.refresh(), client.refresh()])
    expect(polls()).toHaveLength(2)
    expect(polls()[1]?.headers['if-none-match']).toMatch(/^"/)

    switchOff(2)
    await client.refresh()
    expect([client.isEnabled('on', 'u'), updates]).toEqual([false, [['on']]])
  })

  it('refresh({ maxAgeMs }) does nothing while the flags are young', async () => {
    const { client, platform } = started({ connection: 'manual' })
    await client.refresh({ maxAgeMs: 1_000 })
    await client.refresh({ maxAgeMs: 1_000 })
    expect(polls()).toHaveLength(1)
    platform.clock.advance(1_000)
    await client.refresh({ maxAgeMs: 1_000 })
    expect(polls()).toHaveLength(2)
  })

  it('connect() and refresh() reject at once, and the last flags stay in use', async () => {
    answer({ status: 503 })
    const { client, platform } = started({ connection: 'manual' })
    await expect(client.connect()).rejects.toMatchObject({ status: 503 })
    answer(null)
    await client.connect()
    answer({ status: 404 })
    await expect(client.refresh()).rejects.toThrow('check the url')

    expect([client.isEnabled('on', 'u'), platform.clock.due()]).toEqual([true, []])
    await client.close()
    await expect(client.refresh()).rejects.toThrow('closed')
  })

  it('connect() of a connected manual client requests nothing', async () => {
    const { client } = started({ connection: 'manual' })
    await client.connect()
    await client.connect()

    expect(polls()).toHaveLength(1)
  })
})

describe('refresh() beside a stream', () => {
  it('refresh() requests nothing while the stream is live', async () => {
    const { client } = started({})
    await client.connect()
    await client.refresh()

    expect(polls()).toHaveLength(0)
  })

  it('refresh() gives flags while there is no stream', async () => {
    server.onStream = (response) => void response.writeHead(503).end()
    const { client } = started({})
    void client.connect()
    await client.refresh()

    expect([client.isEnabled('on', 'u'), client.status.isReady]).toEqual([true, true])
  })
})

it('a host like React Native, without AbortSignal.timeout and streamed bodies, polls and reports', async () => {
  vi.stubGlobal(
    'AbortSignal',
    class extends AbortSignal {
      static override timeout = undefined as never
    },
  )
  const { client } = started({ connection: 'poll' })
  await client.connect()
  client.isEnabled('on', 'u')
  client.isEnabled('unknown', 'u')
  await client.close()

  expect(server.ingested('/impressions').flat()).toHaveLength(1)
  await until(() => server.requests('/sdk/ack').length === 1)
})
