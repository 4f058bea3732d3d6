import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createRequest } from '../../src/request.ts'
import { createUserValues } from '../../src/values/create-user-values.ts'
import { oneAtATime } from '../../src/values/one-at-a-time.ts'
import { type FlagServer, type Reply, startFlagServer } from './support/flag-server.ts'
import { testPlatform } from './support/test-platform.ts'
import { until } from './support/until.ts'

const BULK = '/ofrep/v1/evaluate/flags'
const EVENTS = '/ofrep/v1/events'
/** The first wait, at a randomness of a half. */
const FIRST_WAIT_MS = 500

describe('values of a user', () => {
  let server: FlagServer
  /** The next responses to requests of values; afterwards the regular one. */
  let replies: Reply[]
  /** The texts of the next streams, which end at once. */
  let streams: string[]

  const regular = (): Reply => ({
    status: 200,
    headers: { etag: '"7-a"', 'content-type': 'application/json' },
    body: JSON.stringify({ flags: [{ key: 'on', reason: 'STATIC', value: true }], metadata: { version: 7 } }),
  })

  beforeEach(async () => {
    server = await startFlagServer()
    onTestFinished(() => server.close())
    replies = []
    streams = []
    server.onIngest = ({ path }) =>
      path === EVENTS
        ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: streams.shift() ?? '' }
        : (replies.shift() ?? regular())
  })

  function open(cache?: Parameters<typeof createUserValues>[1]) {
    const platform = testPlatform()
    const request = createRequest(server.url, 'sk_live_test', platform.fetch)
    const values = createUserValues({ ...platform, request }, cache, 'sk_live_test', 'ann', { plan: 'pro' })
    onTestFinished(() => values.close())
    const errors: string[] = []
    values.on('error', ({ message }) => errors.push(message))
    return { values, errors, clock: platform.clock }
  }

  const requests = (path: string) => server.requests(path)

  it('a stream that ends is opened again, with what is known', async () => {
    const { values, errors, clock } = open()
    await values.ready()
    await until(() => errors.length === 1)
    expect(errors).toEqual(['the stream ended'])
    expect(values.isEnabled('on')).toBe(true)

    replies.push({ status: 304 })
    clock.advance(FIRST_WAIT_MS)
    await until(() => errors.length === 2)
    expect(requests(BULK).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"7-a"'])
    expect(requests(EVENTS).map(({ headers }) => headers['last-event-id'])).toEqual(['7', '7'])
    expect(requests(BULK).map(({ body }) => JSON.parse(body))).toEqual(
      Array(2).fill({ context: { targetingKey: 'ann', plan: 'pro' } }),
    )
    expect(values.isEnabled('on')).toBe(true)
    // Waits grow while streams end early.
    clock.advance(FIRST_WAIT_MS)
    expect(clock.due()).toContain(FIRST_WAIT_MS)
  })

  it('an announced state is asked for, and other events are not', async () => {
    streams.push('data: {"type":"other"}\n\ndata: {"type":"refetchEvaluation","etag":"\\"8\\""}\n\n')
    const { errors } = open()
    await until(() => errors.length > 0 && server.received.length >= 3)
    // The values arrive, and the next stream waits for its time all the same.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const paths = server.received.map(({ path }) => path)
    expect(paths).toEqual([BULK, EVENTS, `${BULK}?flagConfigEtag=%228%22`])
  })

  it('a failure is tried again when the server asks for it, and ready waits', async () => {
    replies.push({ status: 503, headers: { 'retry-after': '7' } })
    const { values, errors, clock } = open()
    let isReady = false
    void values.ready().then(() => {
      isReady = true
    })
    await until(() => errors.length === 1)
    expect(errors).toEqual([`${BULK} returned 503`])
    clock.advance(6_999)
    expect(server.received).toHaveLength(1)
    expect(isReady).toBe(false)
    clock.advance(1)
    await until(() => isReady)
    expect(values.getVariant('on')).toBe(true)
  })

  it('a key that is accepted later gets values', async () => {
    replies.push({ status: 401 })
    const { values, clock } = open()
    await expect(values.ready()).rejects.toMatchObject({ status: 401 })
    clock.advance(29_999)
    expect(server.received).toHaveLength(1)
    clock.advance(1)
    await until(() => values.isEnabled('on'))
    await values.ready()
  })

  it('a malformed response changes nothing', async () => {
    replies.push({ status: 200, body: 'no json' }, { status: 200, body: '{"flags": 5}' })
    const { values, errors, clock } = open()
    await until(() => errors.length === 1)
    clock.advance(FIRST_WAIT_MS)
    await until(() => errors.length === 2)
    expect(values.isEnabled('on')).toBe(false)
    clock.advance(2 * FIRST_WAIT_MS)
    await until(() => values.isEnabled('on'))
  })

  it('a cache that fails is an error, and a wrong text is not read', async () => {
    const { errors, values } = open({
      load: () => Promise.reject(new Error('no storage')),
      save: () => Promise.reject(new Error('full')),
    })
    await until(() => errors.length >= 3)
    expect(errors).toContain('the cache cannot be read: Error: no storage')
    expect(errors).toContain('the cache cannot be saved: Error: full')
    expect(values.isEnabled('on')).toBe(true)

    const texts = ['{"version": 1, "owner": 1, "results": 5}', 'null', '{"version": 2}']
    for (const text of texts) {
      const other = open({ load: async () => text, save: async () => {} })
      await other.values.ready()
      expect(other.errors.filter((message) => message.includes('cache'))).toEqual([])
    }
  })

  it('a response that is no list of flags changes nothing', async () => {
    const { values, errors } = open()
    await values.ready()
    replies.push({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"flags":{}}' })
    values.setUser('ann', { plan: 'free' })
    await until(() => errors.includes('the response has no list of flags'))
    expect(values.isEnabled('on')).toBe(false)
  })

  it('a listener that sets another user neither settles nor stores for the one before', async () => {
    const saved: string[] = []
    const cache = { load: async () => null, save: async (text: string) => void saved.push(text) }
    const { values } = open(cache)
    let isSet = false
    values.on('update', () => {
      if (isSet) return
      isSet = true
      values.setUser('bob')
    })
    await until(() => values.userKey === 'bob')
    await values.ready()
    expect(values.isEnabled('on')).toBe(true)
    await until(() => saved.length > 0)
    expect(saved.map((text) => JSON.parse(text).results)).not.toContain(null)
  })

  it('closed values stay closed', async () => {
    const { values } = open()
    values.close()
    const before = server.received.length
    values.setUser('bob')
    expect(values.userKey).toBe('ann')
    await expect(values.ready()).rejects.toThrow('closed')
    expect(server.received.length - before).toBeLessThanOrEqual(1)
  })

  it('ready ends with the values that are closed', async () => {
    replies.push({ status: 500 })
    const { values } = open()
    const waiting = values.ready()
    values.close()
    await expect(waiting).rejects.toThrow('the values are closed')
  })
})

describe('one at a time', () => {
  it('calls during a run are one more run, also after a failure', async () => {
    let runs = 0
    const run = oneAtATime(async () => {
      runs++
      await null
      if (runs === 3) throw new Error('third')
    })
    await Promise.all([run(), run(), run(), run()])
    expect(runs).toBe(2)
    await expect(run()).rejects.toThrow('third')
    await run()
    expect(runs).toBe(4)
  })
})
