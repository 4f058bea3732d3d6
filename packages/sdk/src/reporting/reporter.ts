import type { JsonValue } from '@burgee/evaluation'
import type { Client } from '../client.ts'
import { warnOfGoal } from '../goal-warning.ts'
import { timed } from '../request.ts'
import { createReportQueue, type ReportCount, type ReporterNeeds } from './report-queue.ts'
import { contextText, cut, userText, valueText } from './report-text.ts'

/**
 * Records one evaluation. It is called during evaluations, so it costs a few nanoseconds and never throws.
 */
export type RecordImpression = (
  flagKey: string,
  userKey: unknown,
  value: JsonValue,
  attributes: unknown,
) => void

export interface Reporter {
  readonly counts: { readonly impressions: ReportCount; readonly goals: ReportCount }
  readonly record: RecordImpression
  readonly track: Client['track']
  /** Resolves when all reports were accepted, or an attempt failed. */
  flush(): Promise<void>
  /** Stops recording and sends the pending reports, with retries for up to 3 s. */
  close(): Promise<void>
}

/** The time in which `close()` retries. */
export const CLOSE_TIMEOUT_MS = 3_000
/**
 * The largest delay in the time of a report. It is equal for both kinds, so a goal never precedes its
 * exposure.
 */
const CLOCK_STEP_MS = 100
/** The number of impressions that are remembered within a window. Beyond it, some are reported again. */
const MAX_REMEMBERED = 10_000
/** docs/reference/reports.md: the server skips events with an empty or longer key. */
const MAX_EVENT_KEY_LENGTH = 100

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createReporter(needs: ReporterNeeds): Reporter {
  const { clock, onLeave, warn } = needs.platform
  const { offline, impressions: kind, impressionWindowMs, sendEvaluationContext } = needs.options
  let isClosed = offline
  let isWarned = false
  let stopClock: (() => void) | null = null
  let nowMs = 0
  const reported = new Set<string>()
  let windowEndsMs = 0

  /**
   * Returns whether the impression was already reported in this window. Anonymous users may differ each time,
   * so theirs are never repeated.
   */
  function isRepeated(flagKey: string, userKey: unknown, value: JsonValue): boolean {
    if (!impressionWindowMs) return false
    const user = userText(userKey)
    if (user === null) return false
    if (now() >= windowEndsMs || reported.size >= MAX_REMEMBERED) {
      reported.clear()
      windowEndsMs = nowMs + impressionWindowMs
    }
    return reported.size === reported.add(`${[flagKey, user.length, user]}${valueText(value)}`).size
  }

  /** Reads the clock only occasionally, because reading it costs more than recording. */
  function now(): number {
    if (needs.options.connection === 'manual') nowMs = clock.now()
    else if (stopClock === null) {
      nowMs = clock.now()
      stopClock = clock.setTimer(() => {
        stopClock = null
      }, CLOCK_STEP_MS)
    }
    return nowMs
  }

  /** When it was sent the server's clock is known better than when it was recorded. */
  const timeText = (ms: number): string => new Date(needs.serverClock.correct(ms)).toISOString()

  const impressions = createReportQueue(
    needs,
    'impressions',
    ([flag_key, userKey, value, context, atMs]) => ({
      flag_key,
      user_id: userText(userKey),
      value: valueText(value),
      evaluated_at: timeText(atMs),
      context: parseContext(context),
    }),
  )
  const goals = createReportQueue(needs, 'events', ([event_key, userKey, value, context, atMs]) => ({
    event_key,
    user_id: userText(userKey),
    value: Number.isFinite(value) ? value : null,
    occurred_at: timeText(atMs),
    context: parseContext(context),
  }))
  const queues = [impressions, goals]

  const stopLeave = onLeave(() => {
    for (const queue of queues) queue.leave()
  })

  return {
    get counts() {
      return { impressions: impressions.count, goals: goals.count }
    },
    record(flagKey, userKey, value, attributes) {
      if (isClosed || kind === 'off' || isRepeated(flagKey, userKey, value)) return
      const context = sendEvaluationContext ? contextText(attributes) : 'null'
      impressions.add(flagKey, userKey, value, context, now())
    },
    track(eventKey, userKey, detail) {
      if (isClosed) return
      const isFit =
        typeof eventKey === 'string' && eventKey !== '' && cut(eventKey, MAX_EVENT_KEY_LENGTH) === eventKey
      if (!isFit) return goals.drop()
      goals.add(eventKey, userKey, detail?.value, contextText(detail?.context), now())
      if (!isWarned) isWarned = warnOfGoal(eventKey, warn)
    },
    async flush() {
      await Promise.all(queues.map((queue) => queue.flush()))
    },
    async close() {
      isClosed = true
      const drain = () => Promise.all(queues.map((queue) => queue.drain()))
      await timed(clock, drain, CLOSE_TIMEOUT_MS).catch(() => {})
      stopClock?.()
      stopLeave()
      for (const queue of queues) queue.stop()
    },
  }
}

/** Parses a context; undefined, which JSON leaves out, when there is none. */
const parseContext = (text: string): unknown => JSON.parse(text) ?? undefined
