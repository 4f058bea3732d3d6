/**
 * The differences below it come from the latency of the response and from `Date`, which has whole seconds.
 */
const TOLERANCE_MS = 2_000
/** When the difference grows by more than this, the clock of this machine was set. */
const JUMP_MS = 60_000

/** The time by which the clock of this machine is ahead of the server's. */
export interface ServerClock {
  /** @param date The header `Date` of a response. */
  observe(date: string | null): void
  /** Converts a time of this machine to the server's clock, both in milliseconds since 1970. */
  correct(ms: number): number
}

/**
 * Moves the times of a clock that is ahead back, because the server refuses times in the future. The
 * correction only shrinks, because a slow response makes the difference look larger. No goal moves before
 * its exposure then. A difference that jumps counts as a new setting of the clock. A machine that slept
 * during a request looks the same until the next response.
 */
export function createServerClock(now: () => number): ServerClock {
  let aheadMs = Number.NEGATIVE_INFINITY
  return {
    observe(date) {
      // Not a number where there is no date: then neither comparison holds.
      const foundMs = now() - Date.parse(date as string)
      if (foundMs > aheadMs + JUMP_MS) aheadMs = foundMs < TOLERANCE_MS ? 0 : foundMs
      else if (foundMs < aheadMs) aheadMs = Math.max(0, foundMs)
    },
    correct: (ms) => ms - Math.max(0, aheadMs),
  }
}
