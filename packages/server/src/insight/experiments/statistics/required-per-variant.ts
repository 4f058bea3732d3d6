import { NORMAL_97_5 } from './compare-proportions.ts'
import { type Proportion, rateOf } from './proportion.ts'

/** The standard normal value above 80% of the distribution. */
const NORMAL_80 = 0.8416212335729142

/**
 * Returns the users that each of two variants needs so that a difference as large as the observed one is
 * found significant (two-sided, 0.05) in four of five cases: Fleiss, Levin & Paik, 3rd ed., equation 4.14,
 * without a correction for continuity. Null without a difference.
 */
export function requiredPerVariant(variant: Proportion, control: Proportion): number | null {
  const one = rateOf(variant)
  const other = rateOf(control)
  const difference = one - other
  if (difference === 0) return null
  const middle = (one + other) / 2
  const chance = NORMAL_97_5 * Math.sqrt(2 * middle * (1 - middle))
  const effect = NORMAL_80 * Math.sqrt(one * (1 - one) + other * (1 - other))
  return Math.ceil(((chance + effect) / difference) ** 2)
}
