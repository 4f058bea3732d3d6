import { describe, expect, it } from 'vitest'
import {
  type ConnectionContext,
  type ConnectionEvent,
  type ConnectionEvents,
  type ConnectionState,
  HEALTHY_AFTER_MS,
  INITIAL_CONTEXT,
  type Step,
  stepConnection,
  UNAUTHORIZED_RETRY_MS,
} from '../../src/stream/connection-machine.ts'

const NOW_MS = 1_000_000
const ERROR = new Error('lost')
const PAYLOADS: ConnectionEvents = {
  start: undefined,
  connected: 'environment',
  update: { type: 'UPSERT', key: 'a', flag: { key: 'a' } },
  ready: 0,
  lost: ERROR,
  refused: ERROR,
  retry: undefined,
  close: undefined,
}
const EVENTS = Object.keys(PAYLOADS) as ConnectionEvent[]
/** The compiler requires every state. */
const STATES: Record<ConnectionState, null> = {
  idle: null,
  connecting: null,
  bootstrapping: null,
  live: null,
  waiting: null,
  unauthorized: null,
  closed: null,
}

function step(context: Partial<ConnectionContext>, event: ConnectionEvent, payload?: unknown): Step {
  return stepConnection({ ...INITIAL_CONTEXT, ...context }, event, (payload ?? PAYLOADS[event]) as never, {
    nowMs: NOW_MS,
    random: 0.5,
    maxFailures: 3,
  })
}

const effectsOf = ({ effects }: Step): readonly string[] => effects
const waitOf = ({ context }: Step): number => context.waitMs

describe('the connection machine', () => {
  /** State, event, next state, effects. A missing row changes nothing and has no effects. */
  const ROWS: [ConnectionState, ConnectionEvent, ConnectionState, string[]][] = [
    ['idle', 'start', 'connecting', ['open']],
    ['connecting', 'connected', 'bootstrapping', ['begin']],
    ['bootstrapping', 'connected', 'bootstrapping', ['begin']],
    ['live', 'connected', 'bootstrapping', ['begin']],
    ['bootstrapping', 'update', 'bootstrapping', ['apply']],
    ['live', 'update', 'live', ['apply']],
    ['bootstrapping', 'ready', 'live', ['unpoll', 'publish']],
    ['connecting', 'lost', 'waiting', ['drop', 'wait', 'error']],
    ['bootstrapping', 'lost', 'waiting', ['drop', 'wait', 'error']],
    ['live', 'lost', 'waiting', ['drop', 'wait', 'error', 'stale']],
    ['connecting', 'refused', 'unauthorized', ['drop', 'unpoll', 'wait', 'error']],
    ['bootstrapping', 'refused', 'unauthorized', ['drop', 'unpoll', 'wait', 'error']],
    ['live', 'refused', 'unauthorized', ['drop', 'unpoll', 'wait', 'error', 'stale']],
    ['waiting', 'retry', 'connecting', ['open']],
    ['unauthorized', 'retry', 'connecting', ['open']],
    ['idle', 'close', 'closed', ['drop', 'unpoll']],
    ['connecting', 'close', 'closed', ['drop', 'unpoll']],
    ['bootstrapping', 'close', 'closed', ['drop', 'unpoll']],
    ['live', 'close', 'closed', ['drop', 'unpoll']],
    ['waiting', 'close', 'closed', ['drop', 'unpoll']],
    ['unauthorized', 'close', 'closed', ['drop', 'unpoll']],
  ]

  for (const state of Object.keys(STATES) as ConnectionState[]) {
    for (const event of EVENTS) {
      const row = ROWS.find(([from, on]) => from === state && on === event)
      it(`${event} in ${state} ${row ? `leads to ${row[2]}` : 'changes nothing'}`, () => {
        const before: ConnectionContext = {
          ...INITIAL_CONTEXT,
          state,
          readyAtMs: state === 'live' ? NOW_MS : null,
        }

        const after = step(before, event)

        expect([after.context.state, effectsOf(after)]).toEqual(row ? row.slice(2) : [state, []])
        if (!row) expect(after.context).toEqual(before)
      })
    }
  }

  it('the machine polls after three consecutive failed reconnects, while stream retries continue', () => {
    let context: ConnectionContext = { ...INITIAL_CONTEXT, state: 'live', readyAtMs: NOW_MS }
    const polls: boolean[] = []
    for (let failure = 0; failure < 5; failure++) {
      const lost = step(context, 'lost')
      polls.push(effectsOf(lost).includes('poll'))
      context = step(lost.context, 'retry').context
    }

    // The loss of a live stream is not a failed attempt.
    expect(polls).toEqual([false, false, false, true, true])
    expect(context.state).toBe('connecting')
  })

  it('the machine counts failures from 0 once a stream was ready', () => {
    const after = step({ state: 'bootstrapping', failures: 7 }, 'ready', 0)

    expect(after.context.failures).toBe(0)
  })

  it.each([
    [0, 500],
    [1, 1_000],
    [4, 8_000],
    [5, 15_000],
    [60, 15_000],
  ])(
    'after %i waits the machine waits half of min(30 s, 1 s * 2^waits) when the random number is a half',
    (waits, expected) => {
      expect(waitOf(step({ state: 'connecting', waits }, 'lost'))).toBe(expected)
    },
  )

  it('the machine resets the waits after 60 s of a healthy stream, and not before', () => {
    const live = (readyAtMs: number): Partial<ConnectionContext> => ({ state: 'live', waits: 4, readyAtMs })

    expect(waitOf(step(live(NOW_MS - HEALTHY_AFTER_MS), 'lost'))).toBe(500)
    expect(waitOf(step(live(NOW_MS - HEALTHY_AFTER_MS + 1), 'lost'))).toBe(8_000)
  })

  it('the machine tries a rejected key again every 30 s', () => {
    expect(waitOf(step({ state: 'connecting', waits: 9 }, 'refused'))).toBe(UNAUTHORIZED_RETRY_MS)
  })

  it('the machine announces stale once, not again while flags are stale', () => {
    const lost = step({ state: 'live', readyAtMs: NOW_MS }, 'lost')
    const again = step(step(lost.context, 'retry').context, 'lost')

    expect(effectsOf(again)).not.toContain('stale')
  })

  it('the machine announces stale when a second bootstrap on one stream fails', () => {
    const rebootstrapping = step({ state: 'live', readyAtMs: NOW_MS }, 'connected').context

    expect(effectsOf(step(rebootstrapping, 'lost'))).toContain('stale')
  })

  it('the machine reconnects when the bootstrap had fewer flags than ready announces', () => {
    const short = step(step({ state: 'bootstrapping' }, 'update').context, 'ready', 2)

    expect(short.context.state).toBe('waiting')
    expect(effectsOf(short)).not.toContain('publish')
  })

  it.each([
    ['as many flags as announced', 1],
    ['more flags than announced', 0],
    ['no count', Number.NaN],
  ])('the machine accepts a bootstrap with %s', (_title, announced) => {
    const complete = step(step({ state: 'bootstrapping' }, 'update').context, 'ready', announced)

    expect(complete.context.state).toBe('live')
  })

  it('the machine does not count a DELETE among the flags of a bootstrap', () => {
    const remove = { type: 'DELETE', key: 'a' }

    expect(step(step({ state: 'bootstrapping' }, 'update', remove).context, 'ready', 1).context.state).toBe(
      'waiting',
    )
  })

  it('the machine counts the flags of each bootstrap separately', () => {
    expect(step({ state: 'live', received: 5 }, 'connected').context.received).toBe(0)
  })
})
