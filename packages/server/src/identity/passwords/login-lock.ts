import { LOGIN_FAILURES_BEFORE_LOCK, LOGIN_LOCK_MS } from '@burgee/contract'

const MINUTE_MS = 60_000
const SECONDS_PER_MINUTE = 60

/** Returns the remaining attempts after a number of failures. */
export const attemptsRemaining = (failures: number): number =>
  Math.max(0, LOGIN_FAILURES_BEFORE_LOCK - failures)

/**
 * Returns the rest of a lock in seconds, rounded up to a full minute: 900 at first
 * (docs/reference/access.md#login).
 */
export function lockSecondsLeft(locked_until: string, now: Date): number {
  // An instance whose clock is behind must not show more than a whole lock.
  const leftMs = Math.min(Date.parse(locked_until) - now.getTime(), LOGIN_LOCK_MS)
  return Math.max(1, Math.ceil(leftMs / MINUTE_MS)) * SECONDS_PER_MINUTE
}
