import { performance } from 'node:perf_hooks'

/** Where time comes from. Everything that needs the time takes one of these. */
export interface Clock {
  /** The wall clock, for what is stored or shown. */
  now(): Date
  /** Milliseconds from an arbitrary start that never step back, for durations and deadlines. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

/** A clock that goes on by itself, however the machine's wall clock is stepped, until it is set. */
export interface SteadyClock extends Clock {
  /** Sets `now` to a time in milliseconds since 1970. */
  set(epochMs: number): void
}

/** Begins with the machine's time. */
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
