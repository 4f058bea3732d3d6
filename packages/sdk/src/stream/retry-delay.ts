/** The first wait is anywhere up to this; it doubles from one failure to the next. */
export const RETRY_BASE_MS = 1_000
export const RETRY_CAP_MS = 30_000

/**
 * Full jitter: anywhere between nothing and the exponential bound, so that clients that lost their server together do
 * not come back together.
 *
 * @param failures How many waits there were before this one.
 * @param random In [0, 1).
 * @returns Milliseconds.
 */
export function retryDelayMs(failures: number, random: number): number {
  return random * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** failures)
}
