import type { VariantResult } from '../descriptions/describe-comparison.ts'

/** A linear scale of differences, with its ticks. */
export interface DifferenceScale {
  /** From 0 at the left end to 100 at the right, for `left: 42%`. */
  readonly percentOf: (difference: number) => number
  /** Round differences inside the scale, 0 among them. */
  readonly ticks: readonly number[]
}

const TICKS_MAX = 6
const MARGIN = 0.06
/** The span if nothing differs: one percentage point to either side. */
const LEAST_SPAN = 0.02

/** A scale that holds zero, each difference from the control, and its intervals. */
export function differenceScale(variants: readonly VariantResult[], control: VariantResult): DifferenceScale {
  const ends = variants.flatMap(({ conversion_rate, confidence_interval, sequential }) => [
    conversion_rate - control.conversion_rate,
    ...[confidence_interval, sequential].flatMap((interval) =>
      interval ? [interval.low, interval.high] : [],
    ),
  ])
  let low = Math.min(0, ...ends)
  let high = Math.max(0, ...ends)
  if (high - low < Number.EPSILON) {
    low -= LEAST_SPAN / 2
    high += LEAST_SPAN / 2
  }
  const margin = (high - low) * MARGIN
  low -= margin
  high += margin
  return {
    percentOf: (difference) => ((difference - low) / (high - low)) * 100,
    ticks: roundNumbers(low, high),
  }
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function roundNumbers(low: number, high: number): number[] {
  const rough = (high - low) / TICKS_MAX
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((factor) => power * factor >= rough) ?? 10)
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  // Multiplied rather than added up, so that zero is zero.
  return Array.from({ length: count }, (_, index) => (first + index) * step)
}
