import { answerError, type ClientError, toError } from '../client-error.ts'
import type { Platform } from '../platform.ts'
import { retryDelayMs } from '../stream/retry-delay.ts'
import type { ReportQueue } from './report-queue.ts'
import { splitBatch } from './split-batch.ts'

/** Specification, "Limits". */
export const MAX_BATCH_ITEMS = 500
/** How long `close()` goes on trying. */
export const CLOSE_TIMEOUT_MS = 3_000

export interface ReportSender {
  /** Recorded and not yet accepted by the server. */
  readonly pending: number
  /** Given up, because the server will never take them. */
  readonly refused: number
  /** Sees to it that what was recorded will be sent: soon when there is a full batch. */
  wake(isFull: boolean): void
  /** Sends what there is. Resolves with 0, or with the milliseconds to wait before trying again. Never rejects. */
  flush(): Promise<number>
  /** Sends what there is, all at once, for there may be no later. */
  leave(): void
  /** Sends what there is, trying again for a while; what is left then is lost. */
  close(): Promise<void>
}

export interface ReportSenderNeeds extends Pick<Platform, 'clock' | 'random'> {
  readonly queue: ReportQueue
  readonly flushIntervalMs: number
  /** Whether it is known where to post. */
  readonly canPost: () => boolean
  /** Posts a JSON text. Rejects when there is no answer. */
  readonly post: (body: string) => Promise<Response>
  readonly onError: (error: ClientError) => void
}

/** Sends one queue in batches, one after another, each until it is accepted or refused for good. */
export function createReportSender({
  queue,
  flushIntervalMs,
  canPost,
  post,
  onError,
  clock,
  random,
}: ReportSenderNeeds): ReportSender {
  let batches: string[][] = []
  let sending: Promise<number> | null = null
  let cancelTimer: (() => void) | null = null
  /** Taken from the queue and not settled. */
  let taken = 0
  let failures = 0
  let refused = 0
  let onSent = () => {}

  function arm(ms: number): void {
    cancelTimer?.()
    cancelTimer = clock.setTimer(() => {
      cancelTimer = null
      void flush()
    }, ms)
  }

  function flush(): Promise<number> {
    sending ??= sendAll().then((waitMs) => {
      sending = null
      if (waitMs === 0) onSent()
      return waitMs
    })
    return sending
  }

  async function sendAll(): Promise<number> {
    for (let batch = nextBatch(); batch; batch = nextBatch()) {
      const waitMs = await send(batch)
      if (waitMs > 0) return waitMs
    }
    return 0
  }

  function nextBatch(): string[] | undefined {
    if (batches.length === 0 && canPost()) {
      const items = queue.take()
      taken += items.length
      batches = splitBatch(items)
    }
    return batches.shift()
  }

  /** Resolves as `flush` does. A batch that may still be accepted is the next one again. */
  async function send(batch: string[]): Promise<number> {
    let waitMs = 0
    try {
      const response = await post(`[${batch}]`)
      const { ok, status } = response
      if (!ok) onError(answerError('reporting', response))
      if (status < 500 && status !== 429) {
        failures = 0
        taken -= batch.length
        if (!ok) refused += batch.length
        return 0
      }
      waitMs = Number(response.headers.get('retry-after')) * 1_000 || 0
    } catch (thrown) {
      onError(toError(thrown))
    }
    batches.unshift(batch)
    waitMs = Math.max(1, waitMs, retryDelayMs(failures++, random()))
    arm(waitMs)
    return waitMs
  }

  return {
    get pending() {
      return queue.size + taken
    },
    get refused() {
      return refused
    },
    wake(isFull) {
      // Never at once: whoever records is not to wait for the formatting.
      if (isFull && failures === 0) arm(0)
      else if (cancelTimer === null) arm(flushIntervalMs)
    },
    flush,
    leave() {
      for (let batch = nextBatch(); batch; batch = nextBatch()) void send(batch)
    },
    close: () =>
      new Promise((resolve) => {
        onSent = () => {
          cancelDeadline()
          cancelTimer?.()
          resolve()
        }
        const cancelDeadline = clock.setTimer(onSent, CLOSE_TIMEOUT_MS, true)
        void flush()
      }),
  }
}
