import { performance } from 'node:perf_hooks'

/** The source of time. All code that needs the time gets a clock. */
export interface Clock {
  /** Returns the wall-clock time, for what is stored or shown. */
  now(): Date
  /** Returns milliseconds from an arbitrary start that never step back, for durations and deadlines. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

/** A clock that continues steadily, however the machine's wall clock is stepped, until it is set. */
export interface SteadyClock extends Clock {
  /** Sets `now` to a time in milliseconds since 1970. */
  set(epochMs: number): void
}

/** Creates a clock that starts with the machine's time. */
export function createSteadyClock(): SteadyClock {
  let offsetMs = Date.now() - performance.now()
  return {
    now: () => new Date(performance.now() + offsetMs),
    monotonicMs: () => performance.now(),
    set(epochMs) {
      offsetMs = epochMs - performance.now()
    },
  }
}
