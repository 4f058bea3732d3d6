import type { ClientError } from '../client-error.ts'
import type { ClientOptions } from '../client-options.ts'
import type { Platform } from '../platform.ts'
import { MAX_BATCH_BYTES, post, type Request, type ResponseError, retryAfterMs } from '../request.ts'
import type { ServerClock } from '../server-clock.ts'
import { retryDelayMs } from '../stream/retry-delay.ts'
import { byteLength, repair } from './report-text.ts'

/** docs/reference/reports.md: the largest batch. */
const MAX_BATCH_ITEMS = 500
const FLUSH_INTERVAL_MS = 5_000
const MAX_QUEUE_SIZE = 10_000

/** The numbers of reports of one kind. */
export interface ReportCount {
  /** Reports that were recorded and not yet accepted by the server. */
  readonly pending: number
  /**
   * Reports that were lost: the queue was full, the server rejected them for good, or a goal had an invalid
   * key.
   */
  readonly dropped: number
}

/** A pending report. It is formatted when it is sent, which keeps recording cheap. */
export type Row = readonly [key: string, userKey: unknown, value: unknown, context: string, atMs: number]
const COLUMNS = 5
const BLOCK_CELLS = MAX_BATCH_ITEMS * COLUMNS

/** Reports that are sent in one request, as JSON, with the number that names them. */
interface Batch {
  readonly items: string[]
  readonly number: number
}

/** A bounded queue in memory for one kind of report, which also sends it. */
export interface ReportQueue {
  readonly count: ReportCount
  /** Adds a report. It is called during evaluations, so it costs a few nanoseconds and never throws. */
  add(...row: Row): void
  /** Counts a report that cannot be sent. */
  drop(): void
  /**
   * Sends the pending reports in consecutive batches. Resolves when all were accepted, or an attempt failed.
   */
  flush(): Promise<void>
  /** Sends all pending reports at once, because the page may end. */
  leave(): void
  /** Sends the pending reports, with retries until all are accepted. */
  drain(): Promise<void>
  /** Stops retrying. */
  stop(): void
}

/** The dependencies of a client's queues. */
export interface ReporterNeeds {
  readonly platform: Platform
  readonly request: Request
  readonly serverClock: ServerClock
  readonly options: ClientOptions
  environmentId(): string | null
  onError(error: ClientError): void
}

/** @param format Formats a row for the request. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createReportQueue(
  { platform: { clock, random }, request, options, environmentId, onError }: ReporterNeeds,
  path: string,
  format: (row: Row) => object,
): ReportQueue {
  const { flushIntervalMs = FLUSH_INTERVAL_MS, maxQueueSize = MAX_QUEUE_SIZE } = options
  /**
   * Rows are stored one after another in blocks of fixed length: an array for each row, or a growing block,
   * costs more than the evaluation.
   */
  let block: unknown[] = new Array(BLOCK_CELLS)
  let used = 0
  const full: unknown[][] = []
  let room = maxQueueSize
  /** Formatted batches; each fits into one request. */
  const batches: Batch[] = []
  const { crypto, location }: Partial<typeof globalThis> = globalThis
  // Pages without TLS have none, and neither has React Native.
  const sender = crypto?.randomUUID?.()
  let numbers = 0
  /** The number of formatted reports that are not settled. */
  let taken = 0
  let dropped = 0
  let failures = 0
  let sending: Promise<void> | null = null
  let cancelTimer: (() => void) | null = null
  let onSent = () => {}

  function arm(ms: number): void {
    // A worker that was frozen never gets its timers. It calls `flush()`.
    if (options.connection === 'manual') return
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

  function nextBatch(): Batch | undefined {
    if (batches.length === 0 && environmentId() !== null) {
      let bytesLeft = 0
      const rows = full.shift() ?? block.slice(0, used)
      if (rows.length < BLOCK_CELLS) used = 0
      room += rows.length / COLUMNS
      for (let at = 0; at < rows.length; at += COLUMNS) {
        const row: unknown[] = rows.slice(at, at + COLUMNS)
        // A block consists of whole rows, whose cells are in the order of `Row`.
        const item = repair(JSON.stringify(format(row as unknown as Row)))
        const bytes = byteLength(item) + 1
        if (bytes > bytesLeft) {
          batches.push({ items: [], number: numbers++ })
          bytesLeft = MAX_BATCH_BYTES
        }
        bytesLeft -= bytes
        batches.at(-1)?.items.push(item)
        taken++
      }
    }
    return batches.shift()
  }

  /**
   * Resolves with true when the batch is settled: accepted, or rejected for good. Otherwise the batch is sent
   * again next.
   */
  async function send(batch: Batch): Promise<boolean> {
    try {
      const name = sender && `${sender}.${batch.number}`
      await post(
        clock,
        request,
        // An earlier server would not allow browsers the header.
        `/api/environments/${environmentId()}/${path}${name && location ? `?batch=${name}` : ''}`,
        `[${batch.items}]`,
        name && !location ? { 'X-Burgee-Batch': name } : undefined,
      )
    } catch (thrown) {
      // `post` throws a ResponseError, the Error of `fetch` or that of its time.
      const error = thrown as Partial<ResponseError> & Error
      const { status = 500 } = error
      onError(error)
      if (status >= 500 || status === 429) {
        batches.unshift(batch)
        arm(Math.max(1, retryAfterMs(error), retryDelayMs(failures++, random())))
        return false
      }
      dropped += batch.items.length
    }
    failures = 0
    taken -= batch.items.length
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
      // A timer, so that the caller that records does not wait for the formatting.
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
