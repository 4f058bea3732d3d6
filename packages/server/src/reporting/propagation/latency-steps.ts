/** The steps in which latencies are counted: each is 10% longer than the one before, from 1 ms to 8.5 s. */
export const LATENCY_STEPS = 96
const GROWTH = 1.1

/** Returns the step of a latency. Its upper end is never below the latency, except for the last step. */
export function stepOf(ms: number): number {
  const step = Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(GROWTH))
  return Math.min(step, LATENCY_STEPS - 1)
}

/** Returns the upper end of the step with this share of all counts below or in it; null without counts. */
export function latencyAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let passed = 0
  const step = counts.findIndex((count) => {
    passed += count
    return passed >= Math.ceil(share * total)
  })
  return Math.round(GROWTH ** step * 10) / 10
}

/** Adds up counts of several servers. */
export function addCounts(all: readonly (readonly number[])[]): number[] {
  return Array.from({ length: LATENCY_STEPS }, (_, step) =>
    all.reduce((sum, counts) => sum + (counts[step] ?? 0), 0),
  )
}
