/** The bound of the first wait. It doubles with each failure. */
export const RETRY_BASE_MS = 1_000
export const RETRY_CAP_MS = 30_000

/**
 * The delay with full jitter: random between 0 and the exponential bound, so that clients which lost a server
 * together do not reconnect together.
 * @param failures The number of waits before this one.
 * @param random In [0, 1).
 * @returns Milliseconds.
 */
export function retryDelayMs(failures: number, random: number): number {
  return random * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** failures)
}
