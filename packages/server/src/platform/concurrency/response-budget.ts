import { getHeapStatistics } from 'node:v8'
import type { Lease } from '../../kernel/lease.ts'
import { unavailable } from '../../kernel/refusal.ts'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Bounds the bytes of large responses in memory, over all requests. */
export interface ResponseBudget {
  /**
   * Waits until the bytes are available. Refuses with `unavailable` when that takes too long. A size over the
   * whole budget counts as all of it.
   */
  take(bytes: number, waitMs?: number): Promise<Lease>
  /**
   * Takes the bytes for a response that is in memory already. Refuses at once where those that wait like this
   * would keep more than half of the budget.
   */
  takeKept(bytes: number): Promise<Lease>
  /** Takes the bytes if they are available now; null otherwise. */
  takeNow(bytes: number): Lease | null
  /** The bytes in use. */
  inUse(): number
  readonly maxBytes: number
}

interface BudgetOptions {
  readonly maxBytes: number
  /** The time a request waits before it is refused. */
  readonly wait_ms?: number
  /** The time after which a response is slow, and is ended when others wait. */
  readonly slowAfterMs?: number
}

interface Held {
  bytes: number
  readonly sinceMs: number
  end: (() => void) | null
}

interface Waiting {
  readonly bytes: number
  /** True for a response that is in memory while it waits. */
  readonly isKept: boolean
  readonly start: (lease: Lease) => void
  readonly refuse: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

const WAIT_MS = 10_000
const SLOW_AFTER_MS = 15_000
/** The number of waiting requests. Each costs a connection and a request, and those of `takeKept` more. */
const WAITING_MAX = 2_000
/** The share of the budget that responses keep beside it while they wait. */
const KEPT_SHARE = 0.5
const LOOK_EVERY_MS = 1_000
const RETRY_AFTER_SECONDS = 5

export function createResponseBudget(
  { clock }: { readonly clock: Clock },
  { maxBytes, slowAfterMs = SLOW_AFTER_MS, wait_ms = WAIT_MS }: BudgetOptions,
): ResponseBudget {
  const held = new Set<Held>()
  const waiting: Waiting[] = []
  let in_use = 0
  let watch: NodeJS.Timeout | null = null

  function lease(bytes: number): Lease {
    const own: Held = { bytes, sinceMs: clock.monotonicMs(), end: null }
    held.add(own)
    in_use += bytes
    return {
      shrinkTo(smaller) {
        if (!held.has(own) || smaller >= own.bytes) return
        in_use -= own.bytes - smaller
        own.bytes = smaller
        admit()
      },
      release() {
        if (!held.delete(own)) return
        in_use -= own.bytes
        admit()
      },
      onEvict(end) {
        own.end = end
      },
    }
  }

  /** Admits requests in the order of arrival, so that large responses are not starved. */
  function admit(): void {
    for (let next = waiting[0]; next && in_use + next.bytes <= maxBytes; next = waiting[0]) {
      waiting.shift()
      clearTimeout(next.timer)
      next.start(lease(next.bytes))
    }
    if (waiting.length > 0 || watch === null) return
    clearInterval(watch)
    watch = null
  }

  function endSlowOnes(): void {
    const nowMs = clock.monotonicMs()
    for (const { end, sinceMs } of held) if (end && nowMs - sinceMs > slowAfterMs) end()
  }

  function takeNow(wanted: number): Lease | null {
    const bytes = Math.min(wanted, maxBytes)
    return waiting.length === 0 && in_use + bytes <= maxBytes ? lease(bytes) : null
  }

  async function take(wanted: number, waitMs: number, isKept: boolean): Promise<Lease> {
    const now = takeNow(wanted)
    if (now) return now
    const bytes = Math.min(wanted, maxBytes)
    if (waiting.length >= WAITING_MAX) throw busy()
    if (isKept && keptBytes() + bytes > maxBytes * KEPT_SHARE) throw busy()
    return new Promise((start, refuse) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(own), 1)
        refuse(busy())
        admit()
      }, waitMs)
      const own: Waiting = { bytes, isKept, start, refuse, timer }
      waiting.push(own)
      watch ??= setInterval(endSlowOnes, LOOK_EVERY_MS).unref()
    })
  }

  const keptBytes = () => waiting.reduce((sum, { bytes, isKept }) => sum + (isKept ? bytes : 0), 0)

  return {
    maxBytes,
    inUse: () => in_use,
    takeNow,
    take: (bytes, waitMs = wait_ms) => take(bytes, waitMs, false),
    takeKept: (bytes) => take(bytes, wait_ms, true),
  }
}

const MIB = 1024 * 1024
const HEAP_SHARE = 8
const LEAST_MEMORY = 32 * MIB
const MOST_MEMORY = 128 * MIB

/** An eighth of the heap, so that a few large responses are built at once and others wait. */
export const responseMemory = (): number =>
  Math.min(Math.max(getHeapStatistics().heap_size_limit / HEAP_SHARE, LEAST_MEMORY), MOST_MEMORY)

export function measureResponseMemory(metrics: Metrics, budget: ResponseBudget): void {
  metrics.collected(
    {
      name: 'large_responses_bytes',
      help: 'Memory reserved for large responses that are being sent.',
      type: 'gauge',
      labels: [],
    },
    () => [{ labels: {}, value: budget.inUse() }],
  )
}

const busy = () =>
  unavailable(
    'Too many large responses are being sent. Try again, or read the list in pages with `limit`.',
    RETRY_AFTER_SECONDS,
  )
