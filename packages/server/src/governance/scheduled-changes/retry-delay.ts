const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 10 * 60_000
/** Beyond it the longest delay applies, and the power of two would leave the safe numbers. */
const DOUBLINGS_MAX = 20

/** Returns how long a change waits after so many failed attempts: twice as long each time. */
export function retryDelayMs(failedAttempts: number): number {
  const doublings = Math.min(DOUBLINGS_MAX, Math.max(0, failedAttempts - 1))
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** doublings)
}
