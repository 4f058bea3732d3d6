import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { CLOSE_TIMEOUT_MS } from '../../src/reporting/reporter.ts'
import { ENVIRONMENT_ID, type FlagServer, type Reply, startFlagServer } from './support/flag-server.ts'
import { flag, stringFlag } from './support/flags.ts'
import * as start from './support/start-client.ts'
import { until } from './support/until.ts'

let server: FlagServer
const started: start.StartedClient[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on'), stringFlag('colour', 'blue'), stringFlag('empty', null)])
})
afterEach(async () => {
  server.onIngest = () => ({ status: 204 })
  const closing = started.splice(0).map(({ client, platform }) => {
    const closed = client.close()
    platform.clock.advance(CLOSE_TIMEOUT_MS)
    return closed
  })
  await Promise.all(closing)
  await server.close()
})

function clientOf(options: Partial<ClientOptions>): start.StartedClient {
  const one = start.clientOf(server, options)
  started.push(one)
  return one
}

async function connectedClient(options: Partial<ClientOptions> = {}): Promise<start.StartedClient> {
  const one = clientOf(options)
  await one.client.connect()
  return one
}

const impressions = (): Record<string, unknown>[] => server.ingested('/impressions').flat()
const goals = (): Record<string, unknown>[] => server.ingested('/events').flat()
const NOTHING = { pending: 0, dropped: 0 }

/** Responds with these replies, one after another, and then with 204. */
function answerWith(...replies: Reply[]): void {
  server.onIngest = () => replies.shift() ?? { status: 204 }
}

function evaluateTimes(client: Client, count: number): void {
  for (let index = 0; index < count; index++) client.isEnabled('on', `u${index}`)
}

describe('impressions', () => {
  it('impressions are posted to the environment with the key as a bearer', async () => {
    const { client } = await connectedClient()
    client.isEnabled('on', 'u1')
    await client.flush()

    expect(server.requests('/impressions')).toMatchObject([
      {
        method: 'POST',
        path: `/api/environments/${ENVIRONMENT_ID}/impressions`,
        headers: { authorization: 'Bearer sk_live_test', 'content-type': 'application/json' },
      },
    ])
    expect(client.status.impressions).toEqual(NOTHING)
  })

  it('impressions contain flag, user, value and time', async () => {
    const { client, platform } = await connectedClient()
    client.isEnabled('on', 'u1', { plan: 'pro' })
    platform.clock.advance(1_000)
    client.getVariant('colour', null)
    client.evaluate('empty', 'u2', {}, { mine: 1 })
    client.isEnabled('empty', 'u3')
    await client.flush()

    expect(impressions()).toEqual([
      { flag_key: 'on', user_id: 'u1', value: 'true', evaluated_at: '2026-01-02T03:04:05.000Z' },
      { flag_key: 'colour', user_id: null, value: 'blue', evaluated_at: '2026-01-02T03:04:06.000Z' },
      { flag_key: 'empty', user_id: 'u2', value: '{"mine":1}', evaluated_at: '2026-01-02T03:04:06.000Z' },
      { flag_key: 'empty', user_id: 'u3', value: 'true', evaluated_at: '2026-01-02T03:04:06.000Z' },
    ])
  })

  it('impressions contain attributes only when the client opts in, as they were at the evaluation', async () => {
    const { client } = await connectedClient({ sendEvaluationContext: true })
    const attributes = { plan: 'pro' }
    client.isEnabled('on', 'u', attributes)
    attributes.plan = 'free'
    client.isEnabled('on', 'u')
    await client.flush()

    expect(impressions().map(({ context }) => context)).toEqual([{ plan: 'pro' }, undefined])
  })

  it('unknown flags, overrides and allFlags give no impressions', async () => {
    const { client } = await connectedClient({ overrides: { colour: 'green' } })
    client.isEnabled('unknown', 'u')
    client.getVariant('colour', 'u')
    client.allFlags('u')

    expect(client.status.impressions).toEqual(NOTHING)
  })

  it('impressions can be disabled', async () => {
    const { client } = await connectedClient({ impressions: 'off' })
    client.isEnabled('on', 'u')

    expect(client.status.impressions).toEqual(NOTHING)
  })

  it('equal impressions are sent once per window when the client opts in', async () => {
    const { client, platform } = await connectedClient({ impressionWindowMs: 60_000 })
    for (let times = 0; times < 3; times++) {
      client.isEnabled('on', 'u1')
      client.isEnabled('on', 'u2')
      client.isEnabled('on', '2')
      client.getVariant('colour', 'u1')
      client.evaluate('empty', 'u1', {}, times)
      platform.clock.advance(1_000)
    }
    await client.flush()
    expect(impressions().map(({ flag_key, user_id, value }) => [flag_key, user_id, value])).toEqual([
      ['on', 'u1', 'true'],
      ['on', 'u2', 'true'],
      ['on', '2', 'true'],
      ['colour', 'u1', 'blue'],
      ['empty', 'u1', '0'],
      ['empty', 'u1', '1'],
      ['empty', 'u1', '2'],
    ])

    platform.clock.advance(57_000)
    client.isEnabled('on', 'u1')
    expect(client.status.impressions.pending).toBe(1)
  })

  it('anonymous impressions are all sent, and so are goals', async () => {
    const { client } = await connectedClient({ impressionWindowMs: 60_000 })
    for (let times = 0; times < 3; times++) {
      client.isEnabled('on', null)
      client.track('bought', 'u1')
    }
    expect(client.status.impressions.pending).toBe(3)
    expect(client.status.goals.pending).toBe(3)
  })

  it('up to 10,000 impressions are remembered within a window', async () => {
    const { client } = await connectedClient({ impressionWindowMs: 60_000, maxQueueSize: 30_000 })
    evaluateTimes(client, 10_000)
    client.isEnabled('on', 'u0')
    evaluateTimes(client, 9_999)
    expect(client.status.impressions.pending).toBe(19_999)
  })

  it('impressions are sent every 5 s', async () => {
    const { client, platform } = await connectedClient()
    client.isEnabled('on', 'u')
    platform.clock.advance(4_999)
    expect(client.status.impressions.pending).toBe(1)
    platform.clock.advance(1)
    await until(() => client.status.impressions.pending === 0)
    client.isEnabled('on', 'u')
    platform.clock.advance(5_000)
    await until(() => impressions().length === 2)
  })

  it('impressions are sent at once when 500 wait, in batches of at most 500', async () => {
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 1_234)
    platform.clock.advance(0)
    await until(() => client.status.impressions.pending === 0)

    const sizes = server.ingested('/impressions').map((batch) => batch.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
    expect(impressions().map(({ user_id }) => user_id)).toEqual(
      Array.from({ length: 1_234 }, (_, index) => `u${index}`),
    )
  })

  it('the queue of impressions is bounded, and further ones are dropped and counted', async () => {
    const { client } = await connectedClient({ maxQueueSize: 10 })
    evaluateTimes(client, 25)
    expect(client.status.impressions).toEqual({ pending: 10, dropped: 15 })
    await client.flush()

    expect(client.status.impressions).toEqual({ pending: 0, dropped: 15 })
  })

  it('impressions wait until the environment is known', async () => {
    const { client, platform } = clientOf({ bootstrap: [flag('on')] })
    client.isEnabled('on', 'u')
    platform.clock.advance(5_000)
    await client.flush()
    expect(client.status.impressions.pending).toBe(1)

    await client.connect()
    await until(() => impressions().length === 1)
  })

  it('impressions of untyped callers may have values that are not JSON', async () => {
    const { client } = await connectedClient({ sendEvaluationContext: true })
    Reflect.apply(client.getVariant, client, ['empty', Symbol('u'), { n: 1n }, 10n])
    await client.flush()

    expect(impressions()).toMatchObject([{ flag_key: 'empty', user_id: null, value: 'null' }])
  })
})

describe('names of batches', () => {
  const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const namesOf = (path: string) =>
    server.requests(path).map(({ headers }) => String(headers['x-burgee-batch']))

  it('a batch that is sent again has the same name, and each other one its own', async () => {
    const { client, platform } = await connectedClient()
    answerWith({ status: 500 })
    evaluateTimes(client, 501)
    client.track('bought', 'u')
    platform.clock.advance(0)
    await client.flush()
    // Beyond the first retry, and before the request that it sends would end for its time.
    platform.clock.advance(2_000)
    await until(() => client.status.impressions.pending === 0 && client.status.goals.pending === 0)

    const impressionNames = namesOf('/impressions')
    const goalNames = namesOf('/events')
    for (const name of [...impressionNames, ...goalNames])
      expect(name).toMatch(new RegExp(`^${UUID}\\.\\d+$`))
    const bodies = new Map(
      [...server.requests('/impressions'), ...server.requests('/events')].map(({ body, headers }) => [
        headers['x-burgee-batch'],
        body,
      ]),
    )
    // Two batches of impressions and one of goals, of which one was sent twice with the same body.
    expect([...bodies].map(([, body]) => JSON.parse(body).length).sort()).toEqual([1, 1, 500])
    expect(impressionNames.length + goalNames.length).toBe(4)
  })

  it('the name is in the address where an earlier server would not allow browsers the header', async () => {
    vi.stubGlobal('location', { hostname: 'localhost' })
    try {
      const { client } = await connectedClient()
      evaluateTimes(client, 1)
      await client.flush()
      const [request] = server.received.filter(({ path }) => path.includes('/impressions'))
      expect(request?.path).toMatch(new RegExp(`/impressions\\?batch=${UUID}\\.0$`))
      expect(request?.headers).not.toHaveProperty('x-burgee-batch')
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

describe('goal events', () => {
  it('goal events are posted with value and time', async () => {
    const { client } = await connectedClient()
    client.track('bought', 'u1', { value: 12.5 })
    client.track('seen', 'u2', { context: { page: 'a' } })
    client.track('left', 'u3')
    await client.flush()

    expect(server.requests('/events')[0]?.path).toBe(`/api/environments/${ENVIRONMENT_ID}/events`)
    const occurred_at = '2026-01-02T03:04:05.000Z'
    expect(goals()).toEqual([
      { event_key: 'bought', user_id: 'u1', value: 12.5, occurred_at },
      { event_key: 'seen', user_id: 'u2', value: null, context: { page: 'a' }, occurred_at },
      { event_key: 'left', user_id: 'u3', value: null, occurred_at },
    ])
  })

  it.each([[''], ['k'.repeat(101)], [undefined], [7]])(
    'goal events with the key %s are dropped and counted',
    async (key) => {
      const { client } = await connectedClient()
      Reflect.apply(client.track, client, [key, 'u'])

      expect(client.status.goals).toEqual({ pending: 0, dropped: 1 })
    },
  )

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '12', 5n])(
    'a goal event has no value when it is %s',
    async (value) => {
      const { client } = await connectedClient()
      Reflect.apply(client.track, client, ['bought', 'u', { value }])
      await client.flush()

      expect(goals()).toMatchObject([{ value: null }])
    },
  )

  it('a goal event is never earlier than the impression before it', async () => {
    const { client, platform } = await connectedClient()
    client.isEnabled('on', 'u')
    platform.clock.advance(70)
    client.isEnabled('on', 'u')
    client.track('bought', 'u')
    await client.flush()

    const times = [...impressions().map((row) => row.evaluated_at), goals()[0]?.occurred_at]
    expect([...times].sort()).toEqual(times)
  })

  it('track never throws', async () => {
    const { client } = await connectedClient()
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    client.track('bought', 'u', { context: cyclic })
    Reflect.apply(client.track, client, ['bought', {}, null])
    await client.flush()

    expect(goals()).toHaveLength(2)
  })
})

describe('a report that fails', () => {
  it.each([429, 500, 502, 503])(
    'a report that fails with %i is sent again unchanged until it is accepted',
    async (status) => {
      answerWith({ status }, { status })
      const { client, platform, errors } = await connectedClient()
      evaluateTimes(client, 3)
      await client.flush()
      expect(client.status.impressions.pending).toBe(3)
      evaluateTimes(client, 1)
      platform.clock.advance(500)
      await until(() => errors.length === 2)
      platform.clock.advance(1_000)
      await until(() => client.status.impressions.pending === 0)

      expect(server.ingested('/impressions').map((batch) => batch.length)).toEqual([3, 3, 3, 1])
      expect(client.status.impressions.dropped).toBe(0)
    },
  )

  it('a report is sent again when the network fails', async () => {
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 1)
    await server.close()
    await client.flush()

    expect(client.status.impressions).toEqual({ pending: 1, dropped: 0 })
    expect(platform.clock.due()).toContain(500)
    server = await startFlagServer()
  })

  it('a retried report waits as long as Retry-After requires', async () => {
    answerWith({ status: 429, headers: { 'retry-after': '7' } })
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 1)
    await client.flush()
    platform.clock.advance(6_999)
    expect(server.requests('/impressions')).toHaveLength(1)
    platform.clock.advance(1)

    await until(() => server.requests('/impressions').length === 2)
  })

  it.each([400, 401, 403, 404, 413, 422])(
    'a report rejected with %i is dropped, counted and announced',
    async (status) => {
      answerWith({ status })
      const { client, errors } = await connectedClient()
      evaluateTimes(client, 2)
      await client.flush()

      expect(client.status.impressions).toEqual({ pending: 0, dropped: 2 })
      expect(errors).toMatchObject([{ status }])
      evaluateTimes(client, 1)
      await client.flush()
      expect(server.requests('/impressions')).toHaveLength(2)
    },
  )

  it('failed impressions do not delay goals', async () => {
    server.onIngest = ({ path }) => ({ status: path.endsWith('/events') ? 503 : 204 })
    const { client } = await connectedClient()
    client.isEnabled('on', 'u')
    client.track('bought', 'u')
    await client.flush()

    expect([client.status.impressions.pending, client.status.goals.pending]).toEqual([0, 1])
  })

  it('the queue stays bounded while a report fails', async () => {
    server.onIngest = () => ({ status: 503 })
    const { client } = await connectedClient({ maxQueueSize: 5 })
    evaluateTimes(client, 5)
    await client.flush()
    evaluateTimes(client, 8)

    expect(client.status.impressions).toEqual({ pending: 10, dropped: 3 })
  })
})

describe('a batch', () => {
  it('batches are small enough in bytes to outlive their page, and stay in order', async () => {
    const { client } = await connectedClient()
    const context = { page: 'ü'.repeat(4_000) }
    for (let index = 0; index < 30; index++) client.track('seen', `u${index}`, { context })
    await client.flush()

    const posted = server.requests('/events')
    expect(posted.length).toBeGreaterThan(3)
    for (const { body } of posted) expect(Buffer.byteLength(body)).toBeLessThan(65_536)
    expect(goals().map(({ user_id }) => user_id)).toEqual(
      Array.from({ length: 30 }, (_, index) => `u${index}`),
    )
  })

  it('a larger item is sent in a batch of its own', async () => {
    const { client } = await connectedClient({ sendEvaluationContext: true })
    const large = '\u0001'.repeat(8_192)
    const value = client.getVariant('empty', 'u1', { large: 'x'.repeat(8_000) }, large + large)
    client.getVariant('empty', '\u0001'.repeat(1_024), { large: 'x'.repeat(8_000) }, large)
    client.getVariant('empty', 'u3', {}, 'small')
    await client.flush()

    expect(value).toBe(large + large)
    expect(impressions().map((row) => row.value)).toEqual([large, large, 'small'])
  })
})

describe('close()', () => {
  it('close() sends pending reports', async () => {
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 700)
    client.track('bought', 'u')
    await client.close()

    expect([impressions().length, goals().length]).toEqual([700, 1])
    expect(platform.clock.due()).toEqual([])
  })

  it('close() retries for 3 s', async () => {
    answerWith({ status: 503 })
    const { client, platform, errors } = await connectedClient()
    evaluateTimes(client, 1)
    const closing = client.close()
    await until(() => errors.length === 1)
    platform.clock.advance(600)
    await closing

    expect(impressions()).toHaveLength(2)
    expect(client.status.impressions).toEqual(NOTHING)
  })

  it('close() ends after 3 s', async () => {
    server.onIngest = () => new Promise(() => {})
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 1)
    const closing = client.close()
    await until(() => server.requests('/impressions').length === 1)
    platform.clock.advance(3_000)

    await closing
  })

  it('a closed client records nothing', async () => {
    const { client } = await connectedClient()
    await client.close()
    client.isEnabled('on', 'u')
    client.track('bought', 'u')

    expect([client.status.impressions, client.status.goals]).toEqual([NOTHING, NOTHING])
  })
})

describe('a page that is hidden or left', () => {
  it('a page that is hidden sends all reports at once', async () => {
    const { client, platform } = await connectedClient()
    evaluateTimes(client, 1_200)
    client.track('bought', 'u')
    platform.leave()
    expect(client.status.impressions.pending).toBe(1_200)
    await until(() => impressions().length === 1_200 && goals().length === 1)

    await until(() => client.status.impressions.pending === 0)
    for (const { body } of server.requests('/impressions'))
      expect(Buffer.byteLength(body)).toBeLessThan(65_536)
  })

  it('a page that is hidden keeps reports that could not be sent', async () => {
    server.onIngest = () => ({ status: 503 })
    const { client, platform, errors } = await connectedClient()
    evaluateTimes(client, 2)
    platform.leave()
    await until(() => errors.length === 1)
    expect(client.status.impressions.pending).toBe(2)
    server.onIngest = () => ({ status: 204 })
    platform.clock.advance(500)

    await until(() => client.status.impressions.pending === 0)
  })
})

describe('a clock that is ahead of the server', () => {
  it('is corrected in impressions and goals, so that no goal lies in the future', async () => {
    const one = clientOf({})
    const nowMs = one.platform.clock.now()
    server.dateMs = Math.floor(nowMs / 1_000) * 1_000 - 3_600_000
    await one.client.connect()
    one.client.isEnabled('on', 'u1')
    one.client.track('order', 'u1')
    await one.client.flush()
    for (const [{ evaluated_at, occurred_at }] of [impressions(), goals()] as [Record<string, unknown>][]) {
      const reportedMs = Date.parse(String(evaluated_at ?? occurred_at))
      expect(Math.abs(reportedMs - (server.dateMs ?? 0))).toBeLessThan(1_500)
    }
  })
})

describe('a goal that no experiment can name', () => {
  it('is reported, and the developer is warned once', async () => {
    const { client, platform } = await connectedClient()
    for (const key of ['order-placed', 'checkout.completed', 'other key']) client.track(key, 'u1')
    await client.flush()
    expect(goals().map(({ event_key }) => event_key)).toEqual([
      'order-placed',
      'checkout.completed',
      'other key',
    ])
    expect(platform.warnings).toEqual([expect.stringContaining('"checkout.completed"')])
  })

  it('is warned of when it is no text at all, and nothing is thrown', async () => {
    const { client, platform } = await connectedClient()
    client.track(undefined as never, 'u1')
    client.track('', 'u1')
    expect(platform.warnings).toHaveLength(0)
    expect(client.status.goals.dropped).toBe(2)
  })
})
