import { createFairQueue } from './fair-queue.ts'

/**
 * Runs long computations over whole environments. A caller has one at a time, and callers take turns, so one
 * who sends many waits for these alone.
 */
export interface Analyses {
  /** Settles as the task does. Refuses with `unavailable` when too many of this caller wait. */
  run<T>(caller: string, task: () => Promise<T>): Promise<T>
}

/** The analyses that run at once: each may hold an environment in memory. */
const AT_ONCE = 2
const WAITING_MAX = 32

export function createAnalyses(): Analyses {
  const queue = createFairQueue({
    concurrency: AT_ONCE,
    waitingMax: WAITING_MAX,
    message: 'Too many analyses are waiting. Send fewer at the same time, and try again in a few seconds.',
  })
  return { run: (caller, task) => queue.run({ from: caller, account: caller }, task) }
}
