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
  /**
   * The same for the time that the change log has, which is before the commit: what is measured from it is
   * never less than by the `committed_at` that is shown.
   */
  readonly loggedAtMs: number
}

/**
 * Returns the age of changes that were read from the log, by the time the first was stored and the wall
 * clocks of both instances.
 */
export function committedBefore(clock: Clock, created_at: string): CommittedAt {
  const atMs = loggedAt(clock, created_at)
  return { source: 'change_log', atMs, loggedAtMs: atMs }
}

/** Returns the time of a write of this instance, which was committed a moment ago. */
export const committedNow = (clock: Clock, created_at: string): CommittedAt => ({
  source: 'own_write',
  atMs: clock.monotonicMs(),
  loggedAtMs: loggedAt(clock, created_at),
})

const loggedAt = (clock: Clock, created_at: string): number =>
  clock.monotonicMs() - Math.max(0, clock.now().getTime() - Date.parse(created_at))
