import type { DeliveryJob, FanOut, FinishedAttempt } from '../features/deliveries/index.ts'
import type { DomainEventRecord } from '../kernel/domain-event-payload.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { within } from '../platform/within.ts'

/** What other instances have written, and the jobs of those that died, are found this soon. */
const POLL_MS = 500
/** Events of a burst are fanned out together, and after their own requests were answered. */
const GATHER_MS = 10
/** A claim that is not renewed runs out within this time, which is how long a crash holds back what was being sent. */
export const CLAIM_SECONDS = 6
const RENEW_MS = 2_000
/** Attempts under way that are useful. Each receiver has one first attempt at most, so two thirds are theirs and a third is for retries. */
export const DELIVERIES_MAX = 1_500
const FIRST_SHARE = 2 / 3
const AGAIN_PER_RECEIVER = 4
/** What is done at a time: made jobs of, and taken. */
const SHARE = { events: 100, well: 100, ailing: 25, again: 50 }
/** While this instance is busy with changes of flags, telling gives way: it does so much at a time, and then nothing for a while. */
const SMALL_SHARE = { events: 1, well: 8, ailing: 2, again: 4 }
const SMALL_SHARE_EVERY_MS = 100
/** So long without a change, and all is quiet. */
const QUIET_AFTER_MS = 100
/** Below it, as a part of the time since the last look, there is room for telling beside the changes. */
const BUSY_FROM = 0.5
/** What has waited for so long is told with the whole share, however many changes there are: telling gives way, but not for ever. */
const LATE_MS = 3_000
/** A timer that is early by a hair would find nothing due, and what it was set for would wait for the poll. */
const RETRY_MARGIN_MS = 5
const GIVE_UP_EVERY_MS = 60_000
/** Running deliveries get this long when the server stops (docs/operations.md). */
const FINISH_MS = 8_000

/** A job, and what is to be told. */
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
  /** Attempts that may be under way, each with a connection of its own. */
  readonly atOnce: number
  /** Which part of the time since it was last asked this process was at work, 0 to 1. */
  readonly utilisation: () => number
  /** Makes jobs of so many events, or of one of each environment that waits. */
  readonly fanOut: (limit: number) => Promise<FanOut>
  /** `waited_ms` is how long the oldest of them was due. */
  readonly claim: (
    room: ClaimRoom,
  ) => Promise<{ readonly deliveries: readonly Delivery[]; readonly waited_ms: number }>
  /** Null when the signal cut it off. Never throws. */
  readonly attempt: (delivery: Delivery, signal: AbortSignal) => Promise<FinishedAttempt | null>
  /** Logs an attempt and moves its job on. */
  readonly record: (attempt: FinishedAttempt) => Promise<void>
  readonly renew: (jobIds: readonly number[]) => Promise<void>
  readonly release: (jobIds: readonly number[]) => Promise<void>
  /** Ends what has waited for days. */
  readonly giveUp: () => Promise<void>
}

export interface DeliveryRun {
  start(): void
  /** There are new events: they are told soon. */
  wake(): void
  /** Attempts a job that was taken already, without waiting for its turn. Null when the server stopped meanwhile. */
  deliverNow<T>(delivery: Delivery, record: (attempt: FinishedAttempt) => Promise<T>): Promise<T | null>
  /** Takes nothing more, lets what runs come to its end for a while, then cuts it off and puts it back. */
  close(): Promise<void>
}

interface Running {
  readonly job: DeliveryJob
  readonly cutOff: AbortController
  readonly ended: Promise<unknown>
}

/**
 * Tells receivers of domain events. Every instance does; a job is one instance's while its claim lasts. Receivers never wait
 * for each other: each has its own small share of what runs at once.
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
  /** Since when events have waited for their jobs; null when none is left. */
  let behindSinceMs: number | null = null
  /** Jobs waited for long, when they were looked for last. */
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
      // Writing and signing a large message takes a while: others get their turn in between.
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

  /** Zero when there is time for it, or much is late, or a small share is due again. */
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
    // A claim that ran out while this instance was held up: it is on its way already.
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

/** How much more may be under way, and who has enough. */
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
