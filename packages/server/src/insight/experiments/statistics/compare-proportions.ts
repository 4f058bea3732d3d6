import { type Proportion, pooledVariance, rateOf, unpooledVariance } from './proportion.ts'
import { twoSidedPValue } from './two-sided-p-value.ts'

/** The standard normal value above 97.5% of the distribution: 95% are within it on either side. */
export const NORMAL_97_5 = 1.959963984540054

interface Interval {
  readonly low: number
  readonly high: number
}

export interface ProportionComparison {
  /** Null when both rates are 0 or both are 1: without variance there is no score. */
  readonly z_score: number | null
  readonly p_value: number | null
  /**
   * The 95% interval of `variant - control`. Null when neither rate varies within its variant: the interval
   * would claim certainty.
   */
  readonly confidence_interval: Interval | null
}

/**
 * Tests once at the end: two-proportion z with pooled variance (Fleiss, Levin & Paik, Statistical Methods for
 * Rates and Proportions, 3rd ed., chapter 3, without a correction for continuity), and the Wald interval with
 * unpooled variance.
 */
export function compareProportions(variant: Proportion, control: Proportion): ProportionComparison {
  const difference = rateOf(variant) - rateOf(control)
  const pooled = pooledVariance(variant, control)
  const z_score = pooled > 0 ? difference / Math.sqrt(pooled) : null
  const unpooled = unpooledVariance(variant, control)
  return {
    z_score,
    p_value: z_score === null ? null : twoSidedPValue(z_score),
    confidence_interval: unpooled > 0 ? around(difference, NORMAL_97_5 * Math.sqrt(unpooled)) : null,
  }
}

const around = (center: number, halfWidth: number): Interval => ({
  low: center - halfWidth,
  high: center + halfWidth,
})
