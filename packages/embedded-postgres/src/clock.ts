import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds from an arbitrary start that never step back. */
  monotonicMs(): number
}

export const systemClock: Clock = { monotonicMs: () => performance.now() }
