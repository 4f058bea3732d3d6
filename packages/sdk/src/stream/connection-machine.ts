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

/** What the shell can do, with what it needs to know for it. */
export interface ConnectionEffects {
  open: undefined
  /** Ends the stream and the wait, and forgets a set that is being filled. */
  drop: undefined
  /** Milliseconds until `retry`. */
  wait: number
  /** Starts an empty set. The id of the environment, if there is one. */
  begin: string | null
  apply: FlagUpdate
  publish: undefined
  /** Whether snapshots are polled from now on. */
  poll: boolean
  error: Error
  stale: undefined
}
export type ConnectionEffect<Any extends keyof ConnectionEffects = keyof ConnectionEffects> = {
  readonly [Name in Any]: readonly [name: Name, detail: ConnectionEffects[Name]]
}[Any]

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
}

/** What is not the machine's to know. */
export interface Surroundings {
  readonly nowMs: number
  /** In [0, 1). */
  readonly random: number
  /** Consecutive failures after which snapshots are polled. */
  readonly maxFailures: number
}

/** Where the machine is now, and what the shell has to do, in this order. */
export type Step = readonly [context: ConnectionContext, effects: readonly ConnectionEffect[]]

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
}

/** The next context and what to do, for one event. Pure. */
export function stepConnection<Event extends ConnectionEvent>(
  context: ConnectionContext,
  event: Event,
  payload: ConnectionEvents[Event],
  surroundings: Surroundings,
): Step {
  return TABLE[context.state][event](context, payload, surroundings)
}

type Moves = {
  readonly [Event in ConnectionEvent]: (
    context: ConnectionContext,
    payload: ConnectionEvents[Event],
    surroundings: Surroundings,
  ) => Step
}

const ignore = (context: ConnectionContext): Step => [context, []]

const open = (context: ConnectionContext): Step => [
  { ...context, state: 'connecting' },
  [['open', undefined]],
]

/** A second `connected` on one stream begins anew, too. */
const begin: Moves['connected'] = (context, environmentId) => [
  { ...context, state: 'bootstrapping', received: 0 },
  [['begin', environmentId]],
]

const collect: Moves['update'] = (context, update) => [
  { ...context, received: context.received + (update.type === 'UPSERT' ? 1 : 0) },
  [['apply', update]],
]

const apply: Moves['update'] = (context, update) => [context, [['apply', update]]]

/** Fewer flags than announced means that frames were lost on the way. More is no harm: changes may have come between. */
const publish: Moves['ready'] = (context, announced, surroundings) =>
  context.received < announced
    ? backOff(context, new Error(`${context.received} of ${announced} flags`), surroundings)
    : [
        { ...context, state: 'live', failures: 0, readyAtMs: surroundings.nowMs },
        [
          ['poll', false],
          ['publish', undefined],
        ],
      ]

const backOff: Moves['lost'] = (context, error, { nowMs, random, maxFailures }) => {
  const { state, readyAtMs } = context
  const wasLive = state === 'live'
  const failures = context.failures + (wasLive ? 0 : 1)
  const waits = wasLive && nowMs - (readyAtMs ?? nowMs) >= HEALTHY_AFTER_MS ? 0 : context.waits
  return lose({ ...context, state: 'waiting', failures, waits: waits + 1 }, error, [
    ['wait', retryDelayMs(waits, random)],
    ['poll', failures >= maxFailures],
  ])
}

/** Snapshots would be refused as well, so there is no polling. */
const refuse: Moves['refused'] = (context, error) =>
  lose({ ...context, state: 'unauthorized' }, error, [
    ['wait', UNAUTHORIZED_RETRY_MS],
    ['poll', false],
  ])

/** Announcements come last: a listener may close the client. */
const lose = (context: ConnectionContext, error: Error, effects: ConnectionEffect[]): Step => [
  { ...context, readyAtMs: null },
  [
    ['drop', undefined],
    ...effects,
    ['error', error],
    ...(context.readyAtMs === null ? [] : [['stale', undefined] as const]),
  ],
]

const end = (context: ConnectionContext): Step => [
  { ...context, state: 'closed' },
  [
    ['drop', undefined],
    ['poll', false],
  ],
]

const NOTHING: Moves = {
  start: ignore,
  connected: ignore,
  update: ignore,
  ready: ignore,
  lost: ignore,
  refused: ignore,
  retry: ignore,
  close: end,
}
const OPENED: Moves = { ...NOTHING, connected: begin, lost: backOff, refused: refuse }
const PAUSED: Moves = { ...NOTHING, retry: open }

/** What nobody expects (a `ready` without `connected`, a second `start`) changes nothing. */
const TABLE: Readonly<Record<ConnectionState, Moves>> = {
  idle: { ...NOTHING, start: open },
  connecting: OPENED,
  bootstrapping: { ...OPENED, update: collect, ready: publish },
  live: { ...OPENED, update: apply },
  waiting: PAUSED,
  unauthorized: PAUSED,
  closed: { ...NOTHING, close: ignore },
}
