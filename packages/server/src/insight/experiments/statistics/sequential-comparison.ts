import { type Proportion, pooledRate, pooledVariance, rateOf, unpooledVariance } from './proportion.ts'

/**
 * 1 minus the confidence of the interval, and the probability that the p-value ever falls below it by chance.
 */
const ALPHA = 0.05
/**
 * The variance of the mixture, a normal distribution of differences around 0, in variances of one user's
 * outcome. It makes the interval narrowest at 5,000 users, half of them in each of two variants (8.2 is the
 * minimum of that width). The data must not influence it.
 */
const MIXTURE_VARIANCE = 8.2 / 1_250
/**
 * The expected users who convert, and who do not, of each variant. With fewer, rates are not normal enough.
 */
const EXPECTED_MIN = 5

export interface SequentialComparison {
  readonly p_value: number
  /** The bounds of `variant - control`. */
  readonly low: number
  readonly high: number
}

/**
 * Tests in a way that may be looked at every day: the mixture sequential probability ratio test with a normal
 * mixture, for two proportions (Johari, Koomen, Pekelis & Walsh, Peeking at A/B Tests, KDD 2017). With `s`
 * the standard error of the difference `d` and `r` the mixture's variance over s², the likelihood ratio of a
 * difference of θ is Λ(θ) = (1 + r)^(-1/2) exp(r (d - θ)² / (2 (1 + r) s²))
 *
 * The p-value is 1 / Λ(0), at most 1; the interval contains each θ whose Λ is below 1 / 0.05. So 0 is outside
 * exactly when the p-value is below 0.05. s² is the larger of the pooled and the unpooled estimate, which is
 * conservative for small rates and uneven splits. Null while there is too little data: results stay valid
 * when some looks are skipped.
 */
export function compareSequentially(variant: Proportion, control: Proportion): SequentialComparison | null {
  if (!isEnough(variant, control)) return null
  const difference = rateOf(variant) - rateOf(control)
  const variance = Math.max(pooledVariance(variant, control), unpooledVariance(variant, control))
  const r = MIXTURE_VARIANCE / (1 / variant.exposed + 1 / control.exposed)
  const shrink = r / (1 + r)
  const logRatio = (shrink * difference * difference) / (2 * variance) - Math.log1p(r) / 2
  const halfWidth = Math.sqrt((variance / shrink) * (Math.log1p(r) - 2 * Math.log(ALPHA)))
  return {
    p_value: Math.min(1, Math.exp(-logRatio)),
    low: Math.max(-1, difference - halfWidth),
    high: Math.min(1, difference + halfWidth),
  }
}

function isEnough(one: Proportion, other: Proportion): boolean {
  const rate = pooledRate(one, other)
  return Math.min(one.exposed, other.exposed) * Math.min(rate, 1 - rate) >= EXPECTED_MIN
}
