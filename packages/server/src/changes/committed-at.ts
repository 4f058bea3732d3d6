import type { Clock } from '../platform/clock.ts'

/** The time of a commit, to measure how long changes travel. */
export interface CommittedAt {
  /**
   * The source of a change. `own_write`: from the write itself. `change_log`: read from the log, such as
   * writes of other instances.
   */
  readonly source: 'own_write' | 'change_log'
  /** Milliseconds of this instance's monotonic clock. */
  readonly atMs: number
}

/**
 * Returns the age of changes that were read from the log, by the time the first was stored and the wall
 * clocks of both instances.
 */
export function committedBefore(clock: Clock, created_at: string): CommittedAt {
  const ageMs = Math.max(0, clock.now().getTime() - Date.parse(created_at))
  return { source: 'change_log', atMs: clock.monotonicMs() - ageMs }
}
