import type { ClientError } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import type { Platform } from '../platform.ts'
import type { AnswerError, Request } from '../request.ts'
import { retryDelayMs } from '../stream/retry-delay.ts'
import { byteLength, repair } from './report-text.ts'

/** Specification, "Limits". */
const MAX_BATCH_ITEMS = 500
const FLUSH_INTERVAL_MS = 5_000
const MAX_QUEUE_SIZE = 10_000
const POST_TIMEOUT_MS = 10_000
/** Browsers let a page that is being left send 64 KiB. */
const MAX_BATCH_BYTES = 60_000

/** How many of one kind, in the client's own words. */
export interface ReportCount {
  /** Recorded and not yet accepted by the server. */
  readonly pending: number
  /** Lost: the queue was full, the server refused them for good, or a goal had no acceptable key. */
  readonly dropped: number
}

/** A report as it waits: formatting is left for when it is sent, which keeps recording cheap. */
export type Row = readonly [key: string, userKey: unknown, value: unknown, context: string, atMs: number]
const COLUMNS = 5
const BLOCK_CELLS = MAX_BATCH_ITEMS * COLUMNS

/** One kind of report: what waits to be sent, in memory and bounded, and its sending. */
export interface ReportQueue {
  readonly count: ReportCount
  /** Called on the evaluation path: costs a few nanoseconds and throws nothing. */
  add(...row: Row): void
  /** Counts one that is not fit to be sent. */
  drop(): void
  /** Sends what there is, in batches, one after another. Resolves when all was accepted, or an attempt failed. */
  flush(): Promise<void>
  /** Sends what there is, all at once, for there may be no later. */
  leave(): void
  /** Sends what there is, trying again for as long as it takes. */
  drain(): Promise<void>
  /** Stops trying. */
  stop(): void
}

/** What both queues of a client need. */
export interface ReporterNeeds {
  readonly platform: Platform
  readonly request: Request
  readonly options: ClientOptions
  environmentId(): string | null
  onError(error: ClientError): void
}

/** @param format What is posted of a row. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createReportQueue(
  { platform: { clock, random }, request, options, environmentId, onError }: ReporterNeeds,
  path: string,
  format: (row: Row) => object,
): ReportQueue {
  const { flushIntervalMs = FLUSH_INTERVAL_MS, maxQueueSize = MAX_QUEUE_SIZE } = options
  /** Row after row in blocks of full length: rows of their own, or a block that grows, cost more than the evaluation. */
  let block: unknown[] = new Array(BLOCK_CELLS)
  let used = 0
  const full: unknown[][] = []
  let room = maxQueueSize
  /** Formatted, each fit to be sent at once. */
  const batches: string[][] = []
  /** Formatted and not settled. */
  let taken = 0
  let dropped = 0
  let failures = 0
  let sending: Promise<void> | null = null
  let cancelTimer: (() => void) | null = null
  let onSent = () => {}

  function arm(ms: number): void {
    cancelTimer?.()
    cancelTimer = clock.setTimer(() => {
      cancelTimer = null
      void flush()
    }, ms)
  }

  function flush(): Promise<void> {
    sending ??= sendAll().then((isDone) => {
      sending = null
      if (isDone) onSent()
    })
    return sending
  }

  async function sendAll(): Promise<boolean> {
    for (let batch = nextBatch(); batch; batch = nextBatch()) if (!(await send(batch))) return false
    return true
  }

  function nextBatch(): string[] | undefined {
    if (batches.length === 0 && environmentId() !== null) {
      let bytesLeft = 0
      const rows = full.shift() ?? block.slice(0, used)
      if (rows.length < BLOCK_CELLS) used = 0
      room += rows.length / COLUMNS
      for (let at = 0; at < rows.length; at += COLUMNS) {
        const row: unknown[] = rows.slice(at, at + COLUMNS)
        const item = repair(JSON.stringify(format(row as unknown as Row)))
        const bytes = byteLength(item) + 1
        if (bytes > bytesLeft) {
          batches.push([])
          bytesLeft = MAX_BATCH_BYTES
        }
        bytesLeft -= bytes
        batches.at(-1)?.push(item)
        taken++
      }
    }
    return batches.shift()
  }

  async function post(body: string): Promise<void> {
    const response = await request(
      `/api/environments/${environmentId()}/${path}`,
      {
        method: 'POST',
        body,
        // Lets the request outlive its page; browsers refuse that to larger ones.
        keepalive: body.length <= MAX_BATCH_BYTES,
        signal: AbortSignal.timeout(POST_TIMEOUT_MS),
      },
      { 'Content-Type': 'application/json' },
    )
    // Frees the connection for the next request.
    await response.text()
  }

  /** Resolves with whether the batch is settled: accepted, or refused for good. One that is not is the next one again. */
  async function send(batch: string[]): Promise<boolean> {
    try {
      await post(`[${batch}]`)
    } catch (thrown) {
      const error = thrown as Partial<AnswerError> & Error
      const { status = 500, retryAfter } = error
      onError(error)
      if (status >= 500 || status === 429) {
        batches.unshift(batch)
        arm(Math.max(1, Number(retryAfter) * 1_000 || 0, retryDelayMs(failures++, random())))
        return false
      }
      dropped += batch.length
    }
    failures = 0
    taken -= batch.length
    return true
  }

  return {
    get count() {
      return { pending: maxQueueSize - room + taken, dropped }
    },
    add(key, userKey, value, context, atMs) {
      if (room <= 0) {
        dropped++
        return
      }
      room--
      block[used] = key
      block[used + 1] = userKey
      block[used + 2] = value
      block[used + 3] = context
      block[used + 4] = atMs
      used += COLUMNS
      if (used === BLOCK_CELLS) {
        full.push(block)
        block = new Array(BLOCK_CELLS)
        used = 0
      }
      // Never at once: whoever records is not to wait for the formatting.
      if (used === 0 && failures === 0) arm(0)
      else if (cancelTimer === null) arm(flushIntervalMs)
    },
    drop() {
      dropped++
    },
    flush,
    leave() {
      for (let batch = nextBatch(); batch; batch = nextBatch()) void send(batch)
    },
    drain: () =>
      new Promise((resolve) => {
        onSent = resolve
        void flush()
      }),
    stop: () => cancelTimer?.(),
  }
}
