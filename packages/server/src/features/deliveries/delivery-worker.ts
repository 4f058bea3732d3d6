import type { DomainEventRecord } from '../../kernel/domain-event-payload.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { within } from '../../platform/within.ts'
import type { DeliveryJob, FanOut, FinishedAttempt } from './index.ts'

/** The interval of the poll that finds events of other instances and jobs of crashed ones. */
const POLL_MS = 500
/** The delay after which the events of a burst are fanned out together, when their requests were answered. */
const GATHER_MS = 10
/** The duration of a claim, and thus the longest delay of deliveries after a crash. */
export const CLAIM_SECONDS = 6
const RENEW_MS = 2_000
/**
 * The useful number of concurrent attempts. Each receiver has at most one first attempt, so two thirds are
 * theirs and a third is for retries.
 */
export const DELIVERIES_MAX = 1_500
const FIRST_SHARE = 2 / 3
const AGAIN_PER_RECEIVER = 4
/** The batch sizes of events to fan out and jobs to claim. */
const SHARE = { events: 100, well: 100, ailing: 25, again: 50 }
/** The batch sizes while this instance is busy with changes of flags. A pause follows each batch. */
const SMALL_SHARE = { events: 1, well: 8, ailing: 2, again: 4 }
const SMALL_SHARE_EVERY_MS = 100
/** The time without a change after which the instance is quiet. */
const QUIET_AFTER_MS = 100
/** The utilisation of the event loop, since the last poll, below which deliveries are not throttled. */
const BUSY_FROM = 0.5
/**
 * The age from which deliveries use full batches, however many changes there are, so that they are not
 * starved.
 */
const LATE_MS = 3_000
/**
 * The margin of a timer: one that fires slightly early would find nothing due, and the job would wait for the
 * poll.
 */
const RETRY_MARGIN_MS = 5
const GIVE_UP_EVERY_MS = 60_000
/** The time for running deliveries to finish on a shutdown (docs/operations.md). */
const FINISH_MS = 8_000

/** A job with the event that it delivers. */
export interface Delivery {
  readonly job: DeliveryJob
  readonly occurrence: DomainEventRecord
}

export interface ClaimRoom {
  readonly room: { readonly well: number; readonly ailing: number; readonly again: number }
  readonly againPerReceiver: number
  readonly busy: readonly string[]
}

export interface DeliveryRunDeps {
  readonly clock: Clock
  readonly log: Log
  /** The number of concurrent attempts, each with its own connection. */
  readonly atOnce: number
  /** Returns the share of time, 0 to 1, in which this process was busy since the last call. */
  readonly utilisation: () => number
  /** Creates jobs for up to `limit` events, or for one event of each environment with pending ones. */
  readonly fanOut: (limit: number) => Promise<FanOut>
  /** Claims jobs. `waited_ms` is how long the oldest of them was due. */
  readonly claim: (
    room: ClaimRoom,
  ) => Promise<{ readonly deliveries: readonly Delivery[]; readonly waited_ms: number }>
  /** Makes an attempt; null when the signal aborted it. Never throws. */
  readonly attempt: (delivery: Delivery, signal: AbortSignal) => Promise<FinishedAttempt | null>
  /** Logs an attempt and updates its job. */
  readonly record: (attempt: FinishedAttempt) => Promise<void>
  readonly renew: (jobIds: readonly number[]) => Promise<void>
  readonly release: (jobIds: readonly number[]) => Promise<void>
  /** Ends jobs that have been retried for days. */
  readonly giveUp: () => Promise<void>
}

export interface DeliveryRun {
  start(): void
  /** Announces new events, which are delivered soon. */
  wake(): void
  /** Makes an attempt for a claimed job immediately. Null when the server stopped meanwhile. */
  deliverNow<T>(delivery: Delivery, record: (attempt: FinishedAttempt) => Promise<T>): Promise<T | null>
  /**
   * Stops claiming, lets running attempts finish for a while, then aborts them and returns their jobs to the
   * queue.
   */
  close(): Promise<void>
}

interface Running {
  readonly job: DeliveryJob
  readonly cutOff: AbortController
  readonly ended: Promise<unknown>
}

/**
 * Delivers domain events to receivers. Every instance does; a job belongs to one instance while its claim
 * lasts. Receivers never wait for each other: each has its own small share of what runs concurrently.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createDeliveryRun(deps: DeliveryRunDeps): DeliveryRun {
  const { clock, log } = deps
  const running = new Map<number, Running>()
  const timers = new Set<NodeJS.Timeout>()
  let looking: Promise<void> | null = null
  let lookAgain = false
  let gathering = false
  let pausing: NodeJS.Timeout | null = null
  let wokenAtMs = Number.NEGATIVE_INFINITY
  let lookedAtMs = Number.NEGATIVE_INFINITY
  /** The time since when events wait for their jobs; null when none is left. */
  let behindSinceMs: number | null = null
  /** True when the last poll found jobs that were due for long. */
  let jobsAreLate = false
  let isBusy = false
  let closed = false
  let started = false

  async function look(): Promise<void> {
    isBusy = deps.utilisation() >= BUSY_FROM
    const share = maySpread() ? SHARE : SMALL_SHARE
    lookedAtMs = clock.monotonicMs()
    const { is_behind } = await deps.fanOut(share.events)
    behindSinceMs = is_behind ? (behindSinceMs ?? lookedAtMs) : null
    const taken = await takeJobs(share)
    if (is_behind || taken >= share.well) lookSoon()
  }

  async function takeJobs(share: typeof SHARE): Promise<number> {
    const room = findRoom(running.values(), share, deps.atOnce)
    const { deliveries, waited_ms } = await deps.claim(room)
    jobsAreLate = waited_ms > LATE_MS
    for (const [begun, delivery] of deliveries.entries()) {
      // Building and signing a large message takes a while; other work runs in between.
      if (begun > 0) await new Promise((resolve) => setImmediate(resolve))
      if (closed) {
        await deps.release(deliveries.slice(begun).map(({ job }) => job.id))
        return 0
      }
      deliver(delivery)
    }
    return deliveries.length
  }

  const isQuiet = (): boolean => clock.monotonicMs() - wokenAtMs > QUIET_AFTER_MS

  const isLate = (): boolean =>
    jobsAreLate || (behindSinceMs !== null && clock.monotonicMs() - behindSinceMs > LATE_MS)

  const maySpread = (): boolean => !isBusy || isQuiet() || isLate()

  /** Returns 0 when there is time for a batch, or much is late, or a small batch is due again. */
  const waitForShare = (): number =>
    maySpread() ? 0 : Math.max(0, lookedAtMs + SMALL_SHARE_EVERY_MS - clock.monotonicMs())

  function lookSoon(): void {
    if (closed || !started) return
    const wait_ms = waitForShare()
    if (wait_ms === 0) {
      lookNow()
      return
    }
    pausing ??= setTimeout(() => {
      pausing = null
      lookNow()
    }, wait_ms)
  }

  function lookNow(): void {
    if (closed) return
    if (looking !== null) {
      lookAgain = true
      return
    }
    looking = look()
      .catch((err: unknown) => log.warn({ err }, 'deliveries could not be looked for; trying again'))
      .finally(() => {
        looking = null
        if (!lookAgain) return
        lookAgain = false
        lookSoon()
      })
  }

  function deliver(delivery: Delivery): void {
    // The claim expired while this instance was delayed: the job is already running.
    if (running.has(delivery.job.id)) return
    perform(delivery, deps.record)
      .catch((err: unknown) =>
        log.error({ err, job_id: delivery.job.id }, 'a delivery failed; it is tried again'),
      )
      .finally(lookSoon)
  }

  async function perform<T>(
    delivery: Delivery,
    record: (attempt: FinishedAttempt) => Promise<T>,
  ): Promise<T | null> {
    const { job } = delivery
    const cutOff = new AbortController()
    const work = async () => {
      const attempt = await deps.attempt(delivery, cutOff.signal)
      if (attempt === null) {
        await deps.release([job.id])
        return null
      }
      const recorded = await record(attempt)
      if (attempt.next.kind === 'retry') lookAfter(attempt.next.wait_ms + RETRY_MARGIN_MS)
      return recorded
    }
    const ended = work().finally(() => running.delete(job.id))
    running.set(job.id, { job, cutOff, ended })
    return ended
  }

  function lookAfter(wait_ms: number): void {
    if (closed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      lookSoon()
    }, wait_ms)
    timers.add(timer)
  }

  function renew(): void {
    if (running.size === 0) return
    deps.renew([...running.keys()]).catch((err: unknown) => log.warn({ err }, 'claims could not be renewed'))
  }

  const giveUp = (): void => {
    if (closed) return
    deps.giveUp().catch((err: unknown) => log.warn({ err }, 'old deliveries could not be given up'))
  }

  const polling: NodeJS.Timeout[] = []
  return {
    start() {
      started = true
      polling.push(setInterval(lookSoon, POLL_MS), setInterval(renew, RENEW_MS))
      polling.push(setInterval(giveUp, GIVE_UP_EVERY_MS))
      giveUp()
      lookSoon()
    },
    wake() {
      wokenAtMs = clock.monotonicMs()
      if (gathering || closed || !started) return
      gathering = true
      setTimeout(() => {
        gathering = false
        lookSoon()
      }, GATHER_MS)
    },
    deliverNow: perform,
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      if (pausing !== null) clearTimeout(pausing)
      await looking
      const ended = () => Promise.allSettled([...running.values()].map((each) => each.ended))
      await within<unknown>(FINISH_MS, ended(), () => undefined)
      for (const { cutOff } of running.values()) cutOff.abort()
      await ended()
      for (const timer of polling) clearInterval(timer)
    },
  }
}

/** Returns the remaining capacity, and the receivers that have reached theirs. */
function findRoom(running: Iterable<Running>, share: typeof SHARE, atOnce: number): ClaimRoom {
  const firstMax = Math.ceil(atOnce * FIRST_SHARE)
  let first = 0
  let again = 0
  const againByReceiver = new Map<string, number>()
  for (const { job } of running) {
    if (job.attempt === 1) first += 1
    else {
      again += 1
      againByReceiver.set(job.receiver.id, (againByReceiver.get(job.receiver.id) ?? 0) + 1)
    }
  }
  const busy = [...againByReceiver].filter(([, count]) => count >= AGAIN_PER_RECEIVER).map(([id]) => id)
  return {
    room: {
      well: Math.max(0, Math.min(share.well, firstMax - first)),
      ailing: Math.max(0, Math.min(share.ailing, firstMax - first)),
      again: Math.max(0, Math.min(share.again, atOnce - firstMax - again)),
    },
    againPerReceiver: AGAIN_PER_RECEIVER,
    busy,
  }
}
