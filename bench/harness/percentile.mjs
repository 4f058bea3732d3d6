/**
 * Returns the `percent`-th percentile of numbers by nearest rank: a value that occurred, never an average of
 * two.
 */
export function percentile(values, percent) {
  if (values.length === 0) return Number.NaN
  const sorted = Float64Array.from(values).sort()
  const rank = Math.ceil((percent / 100) * sorted.length)
  return sorted[Math.max(rank, 1) - 1]
}
