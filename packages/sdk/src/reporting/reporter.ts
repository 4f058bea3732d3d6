import type { JsonValue } from '@burgee/evaluation'
import type { Client } from '../client.ts'
import { createReportQueue, type ReportCount, type ReporterNeeds } from './report-queue.ts'
import { contextText, cut, userText, valueText } from './report-text.ts'

/** Takes one evaluation. Called on the evaluation path: it costs a few nanoseconds and throws nothing. */
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
  /** Resolves when all was accepted, or an attempt failed. */
  flush(): Promise<void>
  /** Takes nothing more, and sends what there is, trying for 3 s. */
  close(): Promise<void>
}

/** How long `close()` goes on trying. */
export const CLOSE_TIMEOUT_MS = 3_000
/** How far the time of a report may lag behind. It is the same for both kinds, so no goal comes before its exposure. */
const CLOCK_STEP_MS = 100
/** Impressions remembered within a window; with more, some are sent again. */
const MAX_REMEMBERED = 10_000
/** Specification, "Limits": the service skips events with an empty or longer key. */
const MAX_EVENT_KEY_LENGTH = 100

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createReporter(needs: ReporterNeeds): Reporter {
  const { clock, onLeave } = needs.platform
  const { offline, impressions: kind, impressionWindowMs, sendEvaluationContext } = needs.options
  let isClosed = offline
  let stopClock: (() => void) | null = null
  let nowMs = 0
  const reported = new Set<string>()
  let windowEndsMs = 0

  /** Whether it was reported in this window. Nobody in particular may be somebody else each time. */
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

  /** Reads the clock only now and then: reading it costs more than recording. */
  function now(): number {
    if (stopClock === null) {
      nowMs = clock.now()
      stopClock = clock.setTimer(() => {
        stopClock = null
      }, CLOCK_STEP_MS)
    }
    return nowMs
  }

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
      if (isFit) goals.add(eventKey, userKey, detail?.value, contextText(detail?.context), now())
      else goals.drop()
    },
    async flush() {
      await Promise.all(queues.map((queue) => queue.flush()))
    },
    close: () =>
      new Promise((resolve) => {
        isClosed = true
        const finish = () => {
          cancelDeadline()
          stopClock?.()
          stopLeave()
          for (const queue of queues) queue.stop()
          resolve()
        }
        const cancelDeadline = clock.setTimer(finish, CLOSE_TIMEOUT_MS, true)
        void Promise.all(queues.map((queue) => queue.drain())).then(finish)
      }),
  }
}

const timeText = (ms: number): string => new Date(ms).toISOString()

/** Undefined, which JSON leaves out, where there is none. */
const parseContext = (text: string): unknown => JSON.parse(text) ?? undefined
