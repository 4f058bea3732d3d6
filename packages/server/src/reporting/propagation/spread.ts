/** The confirmations that all servers of an environment take in a millisecond. */
const ACKS_PER_MS = 2
const SPREAD_MIN_MS = 50
const SPREAD_MAX_MS = 10_000
/** The time after the spread after which a client with an open stream is silent. */
export const SILENT_AFTER_MS = 2_000

/** Returns the time over which this many clients spread their confirmations, in milliseconds. */
export const spreadOf = (clients: number): number =>
  Math.round(Math.min(SPREAD_MAX_MS, Math.max(SPREAD_MIN_MS, clients / ACKS_PER_MS)))
