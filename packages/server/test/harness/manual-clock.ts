import type { Clock } from '../../src/platform/clock.ts'

export interface ManualClock extends Clock {
  /** Advances both clocks. */
  advance(ms: number): void
}

/** Creates a clock that moves only when a test advances it. */
export function createManualClock(start = '2026-01-05T10:00:00.000Z'): ManualClock {
  let elapsedMs = 0
  return {
    now: () => new Date(Date.parse(start) + elapsedMs),
    monotonicMs: () => elapsedMs,
    advance: (ms) => {
      elapsedMs += ms
    },
  }
}
