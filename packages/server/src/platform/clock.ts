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
