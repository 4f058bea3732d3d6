/** Each weight as percent of their sum; zeroes where the sum is zero. */
export function percentagesOf(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => (total > 0 ? (weight / total) * 100 : 0))
}

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `33.3%`. A share above zero never shows as zero. */
export const formatPercentage = (percentage: number): string =>
  percentage > 0 && percentage < 0.05 ? '< 0.1%' : `${percent.format(percentage)}%`

/** Weights that are all the same: percentages where they come out even, else 1 each, which is exact. */
export const evenWeight = (count: number): number => (count > 0 && 100 % count === 0 ? 100 / count : 1)
