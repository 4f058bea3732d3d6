import type { JsonValue } from '@burgee/evaluation'
import type { Clock } from '../platform.ts'
import type { QueueOptions, ReportQueue } from './report-queue.ts'
import { contextText, mend, userText, valueText, withContext } from './report-text.ts'

/** Takes one evaluation. Called on the evaluation path: it costs a few nanoseconds and throws nothing. */
export type RecordImpression = (
  flagKey: string,
  userKey: unknown,
  value: JsonValue,
  attributes: unknown,
) => void

export interface ImpressionQueue extends ReportQueue {
  readonly record: RecordImpression
  stopClock(): void
}

export interface ImpressionQueueOptions extends QueueOptions {
  /** Whether the attributes are kept, as they are now. */
  readonly withContexts: boolean
}

/** One batch, as columns. Columns are made in full length: one that grows is copied again and again. */
interface Columns {
  count: number
  readonly flagKeys: string[]
  readonly userKeys: unknown[]
  readonly values: JsonValue[]
  readonly times: number[]
  readonly contexts: string[]
}

/** How far the time of an impression may lag behind. It is never ahead, so that no goal comes before its exposure. */
const CLOCK_STEP_MS = 100

/**
 * Evaluations as columns, which is some twenty times cheaper than an object each with its time as text; they are
 * formatted when they are sent.
 */
export function createImpressionQueue(clock: Clock, options: ImpressionQueueOptions): ImpressionQueue {
  const { limit, batchSize, withContexts, onRecord } = options
  const full: Columns[] = []
  let columns = newColumns(batchSize)
  let room = limit
  let nowMs = 0
  let stopClock: (() => void) | null = null
  let dropped = 0

  /** Reads the clock as long as there is something to time. */
  function startClock(): void {
    nowMs = clock.now()
    stopClock = clock.setTimer(() => {
      stopClock = null
    }, CLOCK_STEP_MS)
  }

  return {
    get size() {
      return limit - room
    },
    get dropped() {
      return dropped
    },
    record(flagKey, userKey, value, attributes) {
      if (room <= 0) {
        dropped++
        return
      }
      room--
      if (stopClock === null) startClock()
      const row = columns.count++
      columns.flagKeys[row] = flagKey
      columns.userKeys[row] = userKey
      columns.values[row] = value
      columns.times[row] = nowMs
      if (withContexts) columns.contexts[row] = contextText(attributes)
      if (row === 0) onRecord(false)
      if (row === batchSize - 1) {
        full.push(columns)
        columns = newColumns(batchSize)
        onRecord(true)
      }
    },
    take() {
      const taken = full.shift() ?? columns
      if (taken === columns) columns = newColumns(batchSize)
      room += taken.count
      return formatRows(taken)
    },
    stopClock: () => stopClock?.(),
  }
}

function newColumns(length: number): Columns {
  const column = () => new Array(length)
  return { count: 0, flagKeys: column(), userKeys: column(), values: column(), times: column(), contexts: [] }
}

function formatRows({ count, flagKeys, userKeys, values, times, contexts }: Columns): string[] {
  return flagKeys.slice(0, count).map((flag_key, row) => {
    const user_id = userText(userKeys[row])
    const evaluated_at = new Date(times[row] ?? 0).toISOString()
    const json = JSON.stringify({ flag_key, user_id, value: valueText(values[row]), evaluated_at })
    return withContext(mend(json), contexts[row])
  })
}
