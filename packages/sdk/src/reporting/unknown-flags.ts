import type { Clock } from '../platform.ts'
import { post, type Request, type ResponseError } from '../request.ts'
import { byteLength, cut, repair } from './report-text.ts'

/** The time after the first unknown flag, so that programs that do not run for long report it. */
export const FIRST_REPORT_MS = 5_000
/** The time between two reports. */
export const REPORT_EVERY_MS = 60_000
/** docs/stream-protocol.md: the bounds of an acknowledgment. */
const MAX_KEYS = 100
const MAX_KEY_LENGTH = 100
const MAX_BODY_BYTES = 8_192
const NOT_FOUND = 404

/** Counts the evaluations that find no flag, and reports them. */
export interface UnknownFlags {
  /** Starts counting: a flag that is only not loaded yet is not unknown. */
  start(): void
  /** Counts an evaluation. */
  readonly count: (flagKey: string) => void
  /** Sends the counts where no timer does, at most once a minute. */
  flush(): Promise<void> | undefined
  /** Sends what was never reported before, and stops counting. */
  close(): void
}

/**
 * Creates the counter. A report is sent once, and its outcome is ignored. A server without the endpoint gets
 * none until the next connection.
 */
export function createUnknownFlags(
  clock: Clock,
  request: Request,
  hasTimers = true,
  client?: string,
): UnknownFlags {
  const counts = new Map<string, number>()
  let isCounting = false
  let delayMs = FIRST_REPORT_MS
  let nextMs = 0
  let cancelTimer: (() => void) | null = null

  function send(): Promise<void> {
    cancelTimer = null
    delayMs = REPORT_EVERY_MS
    const unknown = [...counts]
    counts.clear()
    let body = ''
    do body = repair(JSON.stringify({ unknown, client }))
    while (byteLength(body) > MAX_BODY_BYTES && unknown.pop())
    return post(clock, request, '/sdk/ack', body).catch(({ status }: Partial<ResponseError>) => {
      if (status === NOT_FOUND) isCounting = false
    })
  }

  return {
    start() {
      isCounting = true
    },
    count(flagKey) {
      if (!isCounting || !flagKey || typeof flagKey !== 'string') return
      const key = flagKey.length > MAX_KEY_LENGTH ? cut(flagKey, MAX_KEY_LENGTH) : flagKey
      const count = counts.get(key)
      if (!count && counts.size === MAX_KEYS) return
      counts.set(key, (count ?? 0) + 1)
      if (hasTimers) cancelTimer ??= clock.setTimer(() => void send(), delayMs)
    },
    flush() {
      if (hasTimers || counts.size === 0 || clock.now() < nextMs) return
      nextMs = clock.now() + REPORT_EVERY_MS
      return send()
    },
    close() {
      isCounting = false
      if (!cancelTimer) return
      cancelTimer()
      if (delayMs === FIRST_REPORT_MS) void send()
    },
  }
}
