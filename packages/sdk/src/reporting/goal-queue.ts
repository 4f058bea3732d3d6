import type { Clock } from '../platform.ts'
import type { QueueOptions, ReportQueue } from './report-queue.ts'
import { contextText, mend, userText, withContext } from './report-text.ts'

/** What is known of a goal beyond who reached it. */
export interface GoalDetail {
  /** Revenue, count, duration. Only finite numbers are kept. */
  readonly value?: number | null | undefined
  readonly context?: Readonly<Record<string, unknown>> | null | undefined
}

export interface GoalQueue extends ReportQueue {
  record(eventKey: unknown, userKey: unknown, detail: GoalDetail | null | undefined): void
}

/** Specification, "Limits": the service skips events with an empty or longer key. */
const MAX_EVENT_KEY_LENGTH = 100

export function createGoalQueue(clock: Clock, { limit, batchSize, onRecord }: QueueOptions): GoalQueue {
  const items: string[] = []
  let dropped = 0
  return {
    get size() {
      return items.length
    },
    get dropped() {
      return dropped
    },
    record(event_key, userKey, detail) {
      if (items.length >= limit || !isEventKey(event_key)) {
        dropped++
        return
      }
      const value = detail?.value
      const occurred_at = new Date(clock.now()).toISOString()
      const goal = {
        event_key,
        user_id: userText(userKey),
        value: Number.isFinite(value) ? value : null,
        occurred_at,
      }
      items.push(withContext(mend(JSON.stringify(goal)), contextText(detail?.context)))
      onRecord(items.length === batchSize)
    },
    take: () => items.splice(0, batchSize),
  }
}

function isEventKey(key: unknown): boolean {
  return typeof key === 'string' && key !== '' && [...key].length <= MAX_EVENT_KEY_LENGTH
}
