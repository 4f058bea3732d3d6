import type { FlagUpdate } from './flag-update.ts'
import { retryDelayMs } from './retry-delay.ts'

/** `docs/stream-protocol.md` draws the table below for people. */
export type ConnectionState =
  | 'idle'
  | 'connecting'
  | 'bootstrapping'
  | 'live'
  | 'waiting'
  | 'unauthorized'
  | 'closed'

/** What can happen, with what is known about it. */
export interface ConnectionEvents {
  start: undefined
  /** The id of the environment, if there is one. */
  connected: string | null
  update: FlagUpdate
  /** How many flags the bootstrap held; NaN where the server did not say. */
  ready: number
  /** The stream failed, ended, fell silent or made no sense. */
  lost: Error
  /** 401 or 403. */
  refused: Error
  /** The wait is over. */
  retry: undefined
  close: undefined
}
export type ConnectionEvent = keyof ConnectionEvents

/**
 * What the shell has to do: open the stream; end the stream or the wait, and forget a set that is being filled; wait for
 * `retry`; begin an empty set; apply an update; publish the set; begin and end polling snapshots; tell of the error; tell that
 * the flags are stale.
 */
export type ConnectionEffect =
  | 'open'
  | 'drop'
  | 'wait'
  | 'begin'
  | 'apply'
  | 'publish'
  | 'poll'
  | 'unpoll'
  | 'error'
  | 'stale'

export interface ConnectionContext {
  readonly state: ConnectionState
  /** Connection attempts in a row that did not reach `ready`. Decides about polling. */
  readonly failures: number
  /** Waits since a stream was last healthy for a while. Decides how long the next wait is. */
  readonly waits: number
  /** UPSERTs since `connected`. */
  readonly received: number
  /** When `ready` came; null while the flags at hand may be out of date. */
  readonly readyAtMs: number | null
  /** How long to wait for `retry`, in milliseconds. */
  readonly waitMs: number
}

/** What is not the machine's to know. */
export interface StepInputs {
  readonly nowMs: number
  /** In [0, 1). */
  readonly random: number
  /** Consecutive failures after which snapshots are polled. */
  readonly maxFailures: number
}

/** Where the machine is now, and what the shell has to do, in this order. */
export interface Step<Event extends ConnectionEvent = ConnectionEvent> {
  readonly context: ConnectionContext
  readonly effects: readonly ConnectionEffect[]
  /** What the effects are about: the event's payload, or the error that the machine found. */
  readonly payload: ConnectionEvents[Event] | Error
}

/** A stream that lived this long was healthy: the next wait is short again. */
export const HEALTHY_AFTER_MS = 60_000
/** A key that was refused is tried again this often: it may be made valid, or the server be mistaken. */
export const UNAUTHORIZED_RETRY_MS = 30_000

export const INITIAL_CONTEXT: ConnectionContext = {
  state: 'idle',
  failures: 0,
  waits: 0,
  received: 0,
  readyAtMs: null,
  waitMs: 0,
}

/** The next state and, after it, the effects. */
type Move = readonly [] | readonly [next: ConnectionState, ...effects: ConnectionEffect[]]
type Moves = Readonly<Record<ConnectionEvent, Move>>

// Announcements come last: a listener may close the client.
const NOTHING: Moves = {
  start: [],
  connected: [],
  update: [],
  ready: [],
  lost: [],
  refused: [],
  retry: [],
  close: ['closed', 'drop', 'unpoll'],
}
const OPENED: Moves = {
  ...NOTHING,
  /** A second `connected` on one stream begins anew, too. */
  connected: ['bootstrapping', 'begin'],
  lost: ['waiting', 'drop', 'wait', 'error'],
  refused: ['unauthorized', 'drop', 'unpoll', 'wait', 'error'],
}
const PAUSED: Moves = { ...NOTHING, retry: ['connecting', 'open'] }

/** What nobody expects (a `ready` without `connected`, a second `start`) changes nothing. */
const TABLE: Readonly<Record<ConnectionState, Moves>> = {
  idle: { ...NOTHING, start: ['connecting', 'open'] },
  connecting: OPENED,
  bootstrapping: { ...OPENED, update: ['bootstrapping', 'apply'], ready: ['live', 'unpoll', 'publish'] },
  live: { ...OPENED, update: ['live', 'apply'] },
  waiting: PAUSED,
  unauthorized: PAUSED,
  closed: { ...NOTHING, close: [] },
}

/** The next context and what to do, for one event. Pure. */
export function stepConnection<Event extends ConnectionEvent>(
  context: ConnectionContext,
  event: Event,
  payload: ConnectionEvents[Event],
  stepInputs: StepInputs,
): Step {
  const [state, ...effects]: readonly [ConnectionState?, ...ConnectionEffect[]] = TABLE[context.state][event]
  if (!state) return { context, effects, payload }
  const { received, readyAtMs } = context
  if (event === 'ready' && received < Number(payload)) {
    // Frames were lost on the way. More than announced is no harm: changes may have come between.
    return stepConnection(context, 'lost', new Error(`${received} of ${payload} flags`), stepInputs)
  }
  const next = { ...context, state, ...count(context, event, payload, stepInputs) }
  if (event === 'lost' && next.failures >= stepInputs.maxFailures) effects.unshift('poll')
  if (readyAtMs !== null && next.readyAtMs === null) effects.push('stale')
  return { context: next, effects, payload }
}

/** What changes beside the state. */
function count(
  { state, failures, waits, received, readyAtMs }: ConnectionContext,
  event: ConnectionEvent,
  payload: unknown,
  { nowMs, random }: StepInputs,
): Partial<ConnectionContext> {
  switch (event) {
    case 'connected':
      return { received: 0 }
    case 'update':
      return { received: received + Number((payload as FlagUpdate).type === 'UPSERT') }
    case 'ready':
      return { failures: 0, readyAtMs: nowMs }
    case 'lost': {
      const wasLive = state === 'live'
      const before = wasLive && nowMs - Number(readyAtMs) >= HEALTHY_AFTER_MS ? 0 : waits
      return {
        failures: failures + Number(!wasLive),
        waits: before + 1,
        readyAtMs: null,
        waitMs: retryDelayMs(before, random),
      }
    }
    // Snapshots would be refused as well, so there is no polling.
    case 'refused':
      return { readyAtMs: null, waitMs: UNAUTHORIZED_RETRY_MS }
    default:
      return {}
  }
}
