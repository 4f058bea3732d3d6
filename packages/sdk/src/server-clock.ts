/** Differences below it come from the way of the response and from `Date`, which has whole seconds. */
const TOLERANCE_MS = 2_000
/** By so much more than before: the clock of this machine was set. */
const JUMP_MS = 60_000

/** How far the clock of this machine is ahead of the server's. */
export interface ServerClock {
  /** @param date The header `Date` of a response. */
  observe(date: string | null): void
  /** A time of this machine, in milliseconds since 1970, as the server would have read it. */
  correct(ms: number): number
}

/**
 * The service takes no goal from the future: behind an exposure that is, it would not count. So times of a clock that is ahead
 * are moved back. The correction only shrinks, because a slow response makes it look larger: a goal never moves before its exposure.
 */
export function createServerClock(now: () => number): ServerClock {
  let aheadMs: number | undefined
  return {
    observe(date) {
      const foundMs = now() - Date.parse(date ?? '')
      if (Number.isNaN(foundMs)) return
      if (aheadMs === undefined || foundMs > aheadMs + JUMP_MS) aheadMs = foundMs < TOLERANCE_MS ? 0 : foundMs
      else aheadMs = Math.max(0, Math.min(aheadMs, foundMs))
    },
    correct: (ms) => ms - (aheadMs ?? 0),
  }
}
