import type { ClientError } from '../client-error.ts'
import type { Platform } from '../platform.ts'
import type { Request } from '../request.ts'
import { createGoalQueue, type GoalQueue } from './goal-queue.ts'
import { createImpressionQueue, type RecordImpression } from './impression-queue.ts'
import type { ReportQueue } from './report-queue.ts'
import { createReportSender, MAX_BATCH_ITEMS, type ReportSender } from './report-sender.ts'
import { MAX_BATCH_BYTES } from './split-batch.ts'

/** How many of one kind, in the client's own words. */
export interface ReportCount {
  /** Recorded and not yet accepted by the server. */
  readonly pending: number
  /** Lost: the queue was full, the server refused them for good, or a goal had no acceptable key. */
  readonly dropped: number
}

export interface Reporter {
  readonly impressions: ReportCount
  readonly goals: ReportCount
  /** Called on the evaluation path: costs a few nanoseconds and throws nothing. */
  readonly record: RecordImpression
  readonly track: GoalQueue['record']
  /** Resolves when all was accepted, or an attempt failed. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface ReporterNeeds {
  readonly platform: Platform
  readonly request: Request
  readonly flushIntervalMs: number
  /** At most this many of each kind wait; more are dropped. */
  readonly maxQueueSize: number
  readonly sendEvaluationContext: boolean
  environmentId(): string | null
  onError(error: ClientError): void
}

const POST_TIMEOUT_MS = 10_000

export function createReporter(needs: ReporterNeeds): Reporter {
  const { platform, request, maxQueueSize, sendEvaluationContext, environmentId } = needs
  const { clock } = platform

  async function post(path: string, body: string): Promise<Response> {
    const response = await request(`/api/environments/${environmentId()}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      // Lets the request outlive its page; browsers refuse that to larger ones.
      keepalive: body.length <= MAX_BATCH_BYTES,
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    })
    // Frees the connection for the next request.
    await response.text()
    return response
  }

  function createSender(path: string, queue: ReportQueue): ReportSender {
    return createReportSender({
      ...needs,
      ...platform,
      queue,
      canPost: () => environmentId() !== null,
      post: (body) => post(path, body),
    })
  }

  const bounds = { limit: maxQueueSize, batchSize: MAX_BATCH_ITEMS }
  const impressionQueue = createImpressionQueue(clock, {
    ...bounds,
    withContexts: sendEvaluationContext,
    onRecord: (isFull) => impressions.wake(isFull),
  })
  const goalQueue = createGoalQueue(clock, { ...bounds, onRecord: (isFull) => goals.wake(isFull) })
  const impressions = createSender('impressions', impressionQueue)
  const goals = createSender('events', goalQueue)
  const senders = [impressions, goals]

  const stopLeave = platform.onLeave(() => {
    for (const sender of senders) sender.leave()
  })

  return {
    get impressions() {
      return countOf(impressions, impressionQueue)
    },
    get goals() {
      return countOf(goals, goalQueue)
    },
    record: impressionQueue.record,
    track: goalQueue.record,
    async flush() {
      await Promise.all(senders.map((sender) => sender.flush()))
    },
    async close() {
      stopLeave()
      impressionQueue.stopClock()
      await Promise.all(senders.map((sender) => sender.close()))
    },
  }
}

const countOf = ({ pending, refused }: ReportSender, { dropped }: ReportQueue): ReportCount => ({
  pending,
  dropped: dropped + refused,
})
