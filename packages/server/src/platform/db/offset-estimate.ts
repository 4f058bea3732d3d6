/** One reading of another clock: its time was taken between two moments of the own monotonic clock. */
export interface ClockReading {
  readonly sentMs: number
  readonly receivedMs: number
  /** The other clock's time in milliseconds since 1970. */
  readonly epochMs: number
}

/** The most by which two clocks drift apart: NTP slews a clock by up to 500 ppm (RFC 5905, section 11.3). */
const DRIFT = 500e-6

/**
 * Creates an estimate of the offset between another clock and the own monotonic one, in milliseconds. Every
 * reading bounds the offset, and bounds hold for later ones, wider by the drift. So a slow response does not
 * change what a fast one has shown (intersection of correctness intervals: RFC 5905, section 11.2.1).
 * @returns A function that takes a reading and returns the middle of the bounds.
 */
export function createOffsetEstimate(): (reading: ClockReading) => number {
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let atMs = 0
  return ({ epochMs, receivedMs, sentMs }) => {
    const driftMs = (receivedMs - atMs) * DRIFT
    const lowest = epochMs - receivedMs
    const highest = epochMs - sentMs
    low = Math.max(lowest, low - driftMs)
    high = Math.min(highest, high + driftMs)
    // The other clock was set.
    if (low > high) {
      low = lowest
      high = highest
    }
    atMs = receivedMs
    return (low + high) / 2
  }
}
