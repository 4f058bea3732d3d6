/** Returns the value that `share` of the values do not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Formats "1,234". */
export const inThousands = (count: number): string => count.toLocaleString('en')
