import type { DeliveryJob } from './delivery-job.ts'
import type { ClaimLimits } from './job-queries.ts'

/**
 * Decides when the next poll for deliveries is, and how much it claims. Pure: the worker keeps the state and
 * does the work. Flag changes come first: while this process is busy with them, deliveries are throttled,
 * unless they have been late for a while.
 */
export interface DeliveryLoad {
  /** When a flag was changed on this instance last; monotonic milliseconds, as all times here. */
  readonly changedAtMs: number
  readonly polledAtMs: number
  /** True when this process was busy for most of the time before the last poll. */
  readonly isBusy: boolean
  /** The time since when events wait for their fan-out; null when none waits. */
  readonly behindSinceMs: number | null
  /** True when the last claim found jobs that were due for long. */
  readonly areJobsLate: boolean
}

/** The batch of one poll: events that are fanned out, and jobs that are claimed. */
export interface Batch {
  readonly events: number
  readonly healthy: number
  readonly failing: number
  readonly retries: number
}

/** Attempts that are useful at once: each receiver has one first attempt at most. */
export const DELIVERIES_MAX = 1_500
/** Two thirds of all attempts are first ones, a third is for retries. */
const FIRST_ATTEMPTS_PART = 2 / 3
const RETRIES_PER_RECEIVER = 4

const BATCH: Batch = { events: 100, healthy: 100, failing: 25, retries: 50 }
const THROTTLED_BATCH: Batch = { events: 1, healthy: 8, failing: 2, retries: 4 }
const THROTTLED_EVERY_MS = 100
/** Without a change for this long, nothing has to be throttled. */
const QUIET_AFTER_MS = 100
/** As a part of the time since the last poll. Below it there is time for deliveries beside the changes. */
const BUSY_FROM = 0.5
/** The age from which deliveries are not throttled, however many changes there are. */
const LATE_MS = 3_000

export const INITIAL_LOAD: DeliveryLoad = {
  changedAtMs: Number.NEGATIVE_INFINITY,
  polledAtMs: Number.NEGATIVE_INFINITY,
  isBusy: false,
  behindSinceMs: null,
  areJobsLate: false,
}

export const afterChange = (load: DeliveryLoad, nowMs: number): DeliveryLoad => ({
  ...load,
  changedAtMs: nowMs,
})

/** `utilization` is the part of the time since the last poll in which this process was at work, 0 to 1. */
export const atPoll = (
  load: DeliveryLoad,
  { nowMs, utilization }: { readonly nowMs: number; readonly utilization: number },
): DeliveryLoad => ({ ...load, polledAtMs: nowMs, isBusy: utilization >= BUSY_FROM })

export const afterFanOut = (load: DeliveryLoad, isBehind: boolean): DeliveryLoad => ({
  ...load,
  behindSinceMs: isBehind ? (load.behindSinceMs ?? load.polledAtMs) : null,
})

/** `waitedMs` is how long the oldest claimed job had been due. */
export const afterClaim = (load: DeliveryLoad, waitedMs: number): DeliveryLoad => ({
  ...load,
  areJobsLate: waitedMs > LATE_MS,
})

export function shouldThrottle(load: DeliveryLoad, nowMs: number): boolean {
  const isQuiet = nowMs - load.changedAtMs > QUIET_AFTER_MS
  const areEventsLate = load.behindSinceMs !== null && nowMs - load.behindSinceMs > LATE_MS
  return load.isBusy && !isQuiet && !areEventsLate && !load.areJobsLate
}

export const batchFor = (load: DeliveryLoad, nowMs: number): Batch =>
  shouldThrottle(load, nowMs) ? THROTTLED_BATCH : BATCH

/** Returns the delay of the next poll. */
export const pollDelayMs = (load: DeliveryLoad, nowMs: number): number =>
  shouldThrottle(load, nowMs) ? Math.max(0, load.polledAtMs + THROTTLED_EVERY_MS - nowMs) : 0

/** The bounds of a process, and the receivers that wait. */
export interface Capacity {
  readonly connections: number
  /** Receivers whose host receives as many bytes as it may already. */
  readonly heldReceivers: readonly string[]
}

/**
 * Returns what may be claimed beside the running jobs, of which there may be `connections` in total.
 */
export function claimLimits(
  running: Iterable<DeliveryJob>,
  batch: Batch,
  { connections, heldReceivers }: Capacity,
): ClaimLimits {
  const firstMax = Math.ceil(connections * FIRST_ATTEMPTS_PART)
  let first = 0
  let retries = 0
  const retriesOf = new Map<string, number>()
  for (const { attempt, receiver } of running) {
    if (attempt === 1) first += 1
    else {
      retries += 1
      retriesOf.set(receiver.id, (retriesOf.get(receiver.id) ?? 0) + 1)
    }
  }
  const firstLeft = Math.max(0, firstMax - first)
  const retriesLeft = Math.max(0, connections - firstMax - retries)
  return {
    healthy: Math.min(batch.healthy, firstLeft),
    failing: Math.min(batch.failing, firstLeft),
    retries: Math.min(batch.retries, retriesLeft),
    retriesPerReceiver: RETRIES_PER_RECEIVER,
    heldReceivers,
    saturatedReceivers: [...retriesOf].flatMap(([id, count]) => (count >= RETRIES_PER_RECEIVER ? [id] : [])),
  }
}
