import type { Clock } from '../platform/clock.ts'

/** When changes were committed, for measuring how long they travel. */
export interface CommittedAt {
  /** `own_write`: told by the write itself. `change_log`: read from the log, as of other instances' writes. */
  readonly source: 'own_write' | 'change_log'
  /** Of this instance's monotonic clock. */
  readonly atMs: number
}

/** For changes read from the log: as old as the first of them was stored, by the wall clocks of both instances. */
export function committedBefore(clock: Clock, created_at: string): CommittedAt {
  const ageMs = Math.max(0, clock.now().getTime() - Date.parse(created_at))
  return { source: 'change_log', atMs: clock.monotonicMs() - ageMs }
}
