import type { FlagUpdate } from './flag-update.ts'
import { retryDelayMs } from './retry-delay.ts'

/** The states of a connection. `docs/stream-protocol.md` has the table below for readers. */
export type ConnectionState =
  | 'idle'
  | 'connecting'
  | 'bootstrapping'
  | 'live'
  | 'waiting'
  | 'unauthorized'
  | 'closed'

/** The events of a connection, with their payloads. */
export interface ConnectionEvents {
  start: undefined
  /** The id of the environment, if the server sent one. */
  connected: string | null
  update: FlagUpdate
  /** The number of flags in the bootstrap; NaN when the server did not send it. */
  ready: number
  /** The stream failed, ended, timed out or was malformed. */
  lost: Error
  /** The server responded with 401 or 403. */
  refused: Error
  /** The wait has ended. */
  retry: undefined
  close: undefined
}
export type ConnectionEvent = keyof ConnectionEvents

/**
 * The effects that the shell runs: open the stream; close the stream or cancel the wait, and discard a set
 * that is being collected; wait for `retry`; start an empty set; apply an update; publish the set; start and
 * stop polling snapshots; emit the error; emit `stale`.
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
  /** The number of consecutive attempts that did not reach `ready`. It decides about polling. */
  readonly failures: number
  /** The number of waits since a stream was last healthy. It decides the length of the next wait. */
  readonly waits: number
  /** The number of UPSERTs since `connected`. */
  readonly received: number
  /** The time of `ready`; null while the flags may be out of date. */
  readonly readyAtMs: number | null
  /** The time until `retry`, in milliseconds. */
  readonly waitMs: number
}

/** The inputs of a step that the machine does not hold. */
export interface StepInputs {
  readonly nowMs: number
  /** In [0, 1). */
  readonly random: number
  /** The number of consecutive failures after which snapshots are polled. */
  readonly maxFailures: number
}

/** The result of a step: the next state, and the effects to run, in order. */
export interface Step<Event extends ConnectionEvent = ConnectionEvent> {
  readonly context: ConnectionContext
  readonly effects: readonly ConnectionEffect[]
  /** The payload of the effects: that of the event, or an error that the machine found. */
  readonly payload: ConnectionEvents[Event] | Error
}

/** The lifetime after which a stream counts as healthy and the next wait is short again. */
export const HEALTHY_AFTER_MS = 60_000
/** The interval of attempts with a rejected key. It may become valid again, or the server may be wrong. */
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

// Notifications come last: a listener may close the client.
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
  /** A second `connected` on one stream starts the set again, too. */
  connected: ['bootstrapping', 'begin'],
  lost: ['waiting', 'drop', 'wait', 'error'],
  refused: ['unauthorized', 'drop', 'unpoll', 'wait', 'error'],
}
const PAUSED: Moves = { ...NOTHING, retry: ['connecting', 'open'] }

/** An unexpected event (a `ready` without `connected`, a second `start`) changes nothing. */
const TABLE: Readonly<Record<ConnectionState, Moves>> = {
  idle: { ...NOTHING, start: ['connecting', 'open'] },
  connecting: OPENED,
  bootstrapping: { ...OPENED, update: ['bootstrapping', 'apply'], ready: ['live', 'unpoll', 'publish'] },
  live: { ...OPENED, update: ['live', 'apply'] },
  waiting: PAUSED,
  unauthorized: PAUSED,
  closed: { ...NOTHING, close: [] },
}

/** Returns the next context and the effects for one event. It is pure. */
export function stepConnection<Event extends ConnectionEvent>(
  context: ConnectionContext,
  event: Event,
  payload: ConnectionEvents[Event],
  stepInputs: StepInputs,
): Step {
  const [state, ...effects]: readonly [ConnectionState?, ...ConnectionEffect[]] = TABLE[context.state][event]
  if (!state) return { context, effects, payload }
  const { received, readyAtMs, waits } = context
  if (event === 'ready' && received < Number(payload)) {
    // Frames were lost. More than announced is valid: changes may come between.
    return stepConnection(context, 'lost', new Error(`${received} of ${payload} flags`), stepInputs)
  }
  const { nowMs, random, maxFailures } = stepInputs
  const next: { -readonly [Name in keyof ConnectionContext]: ConnectionContext[Name] } = { ...context, state }
  if (event === 'connected') next.received = 0
  // The payload of the event `update` is a FlagUpdate (see ConnectionEvents).
  if (event === 'update') next.received += Number((payload as FlagUpdate).type === 'UPSERT')
  if (event === 'ready') {
    next.failures = 0
    next.readyAtMs = nowMs
  }
  // Snapshots would be rejected as well, so there is no polling.
  if (event === 'refused') next.waitMs = UNAUTHORIZED_RETRY_MS
  if (event === 'lost') {
    const wasLive = context.state === 'live'
    const before = wasLive && nowMs - Number(readyAtMs) >= HEALTHY_AFTER_MS ? 0 : waits
    next.failures += Number(!wasLive)
    next.waits = before + 1
    next.waitMs = retryDelayMs(before, random)
    if (next.failures >= maxFailures) effects.unshift('poll')
  }
  if (event === 'lost' || event === 'refused') {
    next.readyAtMs = null
    if (readyAtMs !== null) effects.push('stale')
  }
  return { context: next, effects, payload }
}
