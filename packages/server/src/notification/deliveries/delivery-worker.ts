import type { Clock } from '../../platform/clock.ts'
import { createCoalescedRun } from '../../platform/concurrency/coalesced-run.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Delivery, DeliveryJob, FinishedAttempt } from './delivery-job.ts'
import {
  afterChange,
  afterClaim,
  afterFanOut,
  atPoll,
  batchFor,
  claimLimits,
  INITIAL_LOAD,
  pollDelayMs,
} from './delivery-schedule.ts'
import { createHostBudget, type HostLoad } from './host-budget.ts'
import type { ClaimLimits } from './job-queries.ts'
import type { FanOut } from './outbox-queries.ts'
import { createRunningAttempts, type RunningAttemptsDeps } from './running-attempts.ts'

/** Finds what other instances have written, and the jobs of those that crashed. */
const POLL_MS = 500
/** Events of a burst are fanned out together, and after their own requests got their responses. */
const GATHER_MS = 10
/** Claims last for 6 s (`CLAIM_SECONDS`). */
const RENEW_MS = 2_000
/** A timer that is early by a fraction would find nothing due, and its job would wait for the poll. */
const RETRY_MARGIN_MS = 5
const GIVE_UP_EVERY_MS = 60_000
/** Running attempts get this long when the server stops (docs/operations.md). */
const FINISH_MS = 8_000

export interface DeliveryWorkerDeps extends Omit<RunningAttemptsDeps, 'onRetry'> {
  readonly clock: Clock
  readonly log: Log
  /** Attempts that may run at once, each with a connection of its own. */
  readonly connections: number
  /** The bytes that may be on their way to one host, unless a single message has more. */
  readonly hostBytes: number
  /** Returns the host of a delivery and the bytes of its message. Never throws. */
  readonly weigh: (delivery: Delivery) => HostLoad
  /** The part of the time since its last call in which this process was at work, 0 to 1. */
  readonly utilization: () => number
  /** Creates the jobs of at most so many events, and of one event of each environment that waits. */
  readonly fanOut: (limit: number) => Promise<FanOut>
  readonly claim: (limits: ClaimLimits) => Promise<ClaimedDeliveries>
  /** Logs an attempt, and completes its job or puts it off. */
  readonly record: (attempt: FinishedAttempt) => Promise<void>
  readonly renew: (attempts: readonly DeliveryJob[]) => Promise<void>
  /** Ends jobs that have waited for a day. */
  readonly giveUp: () => Promise<void>
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly Delivery[]
  /** The time for which the oldest of them was due. */
  readonly waited_ms: number
}

export interface DeliveryWorker {
  start(): void
  /** There are new events. */
  wake(): void
  /** Attempts a job that is claimed already, beside the limits. Null when the server stopped meanwhile. */
  deliverNow<T>(delivery: Delivery, record: (attempt: FinishedAttempt) => Promise<T>): Promise<T | null>
  /**
   * Claims nothing more, waits for running attempts for a while, then aborts them and releases their jobs.
   */
  close(): Promise<void>
}

/**
 * Delivers domain events. Every instance runs a worker; a job belongs to one instance while its claim lasts.
 * Receivers never wait for each other: failing ones and retries have limits of their own
 * (`delivery-schedule.ts`). Only receivers of one host share the bytes that it may receive at a time.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { clock, log } = deps
  const attempts = createRunningAttempts({
    ...deps,
    onRetry: (waitMs) => after(waitMs + RETRY_MARGIN_MS, pollSoon),
  })
  const polls = createCoalescedRun({
    run: poll,
    onError: (err) => log.warn({ err }, 'deliveries could not be polled for; trying again'),
    onRequestedMeanwhile: () => pollSoon(),
  })
  const hosts = createHostBudget(deps.hostBytes)
  const timers = new Set<NodeJS.Timeout>()
  const intervals: NodeJS.Timeout[] = []
  let load = INITIAL_LOAD
  let state: 'created' | 'started' | 'closed' = 'created'
  let isPollDelayed = false
  let isGathering = false

  async function poll(): Promise<void> {
    load = atPoll(load, { nowMs: clock.monotonicMs(), utilization: deps.utilization() })
    const batch = batchFor(load, load.polledAtMs)
    const { is_behind } = await deps.fanOut(batch.events)
    load = afterFanOut(load, is_behind)
    const capacity = { connections: deps.connections, heldReceivers: hosts.held() }
    const claimed = await deps.claim(claimLimits(attempts.jobs(), batch, capacity))
    load = afterClaim(load, claimed.waited_ms)
    const started = await startAll(claimed.deliveries)
    if (is_behind || started >= batch.healthy) pollSoon()
  }

  async function startAll(deliveries: readonly Delivery[]): Promise<number> {
    const postponed: number[] = []
    for (const [index, delivery] of deliveries.entries()) {
      // Writing and signing a large message takes a while: other work gets its turn in between.
      if (index > 0) await new Promise((resolve) => setImmediate(resolve))
      if (state === 'closed') {
        await deps.release([...postponed, ...deliveries.slice(index).map(({ job }) => job.id)])
        return 0
      }
      if (!start(delivery)) postponed.push(delivery.job.id)
    }
    if (postponed.length > 0) await deps.release(postponed)
    return deliveries.length
  }

  /** Returns false for a delivery that waits because its host receives enough already. */
  function start(delivery: Delivery): boolean {
    // Its claim ran out while this instance was blocked: the attempt is running already.
    if (attempts.has(delivery.job.id)) return true
    const load = deps.weigh(delivery)
    if (!hosts.enter(load)) {
      hosts.hold(delivery.job.receiver.id, load)
      return false
    }
    attempts
      .run(delivery, deps.record)
      .catch((err: unknown) =>
        log.error({ err, job_id: delivery.job.id }, 'a delivery failed; it is retried'),
      )
      .finally(() => {
        hosts.leave(load)
        pollSoon()
      })
    return true
  }

  function pollSoon(): void {
    if (state !== 'started') return
    const delayMs = pollDelayMs(load, clock.monotonicMs())
    if (delayMs === 0) {
      polls.request()
      return
    }
    if (isPollDelayed) return
    isPollDelayed = true
    after(delayMs, () => {
      isPollDelayed = false
      polls.request()
    })
  }

  function after(ms: number, work: () => void): void {
    if (state === 'closed') return
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  function renewClaims(): void {
    const jobs = attempts.jobs()
    if (jobs.length === 0) return
    deps.renew(jobs).catch((err: unknown) => log.warn({ err }, 'claims could not be renewed'))
  }

  function giveUp(): void {
    if (state === 'closed') return
    deps.giveUp().catch((err: unknown) => log.warn({ err }, 'old deliveries could not be given up'))
  }

  return {
    start() {
      state = 'started'
      intervals.push(setInterval(pollSoon, POLL_MS), setInterval(renewClaims, RENEW_MS))
      intervals.push(setInterval(giveUp, GIVE_UP_EVERY_MS))
      giveUp()
      pollSoon()
    },
    wake() {
      load = afterChange(load, clock.monotonicMs())
      if (isGathering || state !== 'started') return
      isGathering = true
      after(GATHER_MS, () => {
        isGathering = false
        pollSoon()
      })
    },
    deliverNow: attempts.run,
    async close() {
      state = 'closed'
      for (const timer of timers) clearTimeout(timer)
      await polls.idle()
      await withTimeout(attempts.ended(), FINISH_MS)
      attempts.abort()
      await attempts.ended()
      for (const interval of intervals) clearInterval(interval)
    },
  }
}
