/** Users of one variant, and those of them who converted. */
export interface Proportion {
  /** At least 1. */
  readonly exposed: number
  readonly converted: number
}

export const rateOf = ({ converted, exposed }: Proportion): number => converted / exposed

/** The rate over both together: what both would have if there were no difference. */
export const pooledRate = (one: Proportion, other: Proportion): number =>
  (one.converted + other.converted) / (one.exposed + other.exposed)

/** Variance of the difference of the rates if there were no difference. */
export function pooledVariance(one: Proportion, other: Proportion): number {
  const rate = pooledRate(one, other)
  return rate * (1 - rate) * (1 / one.exposed + 1 / other.exposed)
}

/** Variance of the difference of the rates, each estimated by itself. */
export const unpooledVariance = (one: Proportion, other: Proportion): number =>
  ownVariance(one) + ownVariance(other)

function ownVariance(proportion: Proportion): number {
  const rate = rateOf(proportion)
  return (rate * (1 - rate)) / proportion.exposed
}
