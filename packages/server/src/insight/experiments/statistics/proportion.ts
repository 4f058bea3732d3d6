/** The users of one variant, and those of them who converted. */
export interface Proportion {
  /** The number of users, at least 1. */
  readonly exposed: number
  readonly converted: number
}

export const rateOf = ({ converted, exposed }: Proportion): number => converted / exposed

/** Returns the rate over both together: the rate of both if there were no difference. */
export const pooledRate = (one: Proportion, other: Proportion): number =>
  (one.converted + other.converted) / (one.exposed + other.exposed)

/** Returns the variance of the difference of the rates if there were no difference. */
export function pooledVariance(one: Proportion, other: Proportion): number {
  const rate = pooledRate(one, other)
  return rate * (1 - rate) * (1 / one.exposed + 1 / other.exposed)
}

/** Returns the variance of the difference of the rates, each estimated separately. */
export const unpooledVariance = (one: Proportion, other: Proportion): number =>
  ownVariance(one) + ownVariance(other)

function ownVariance(proportion: Proportion): number {
  const rate = rateOf(proportion)
  return (rate * (1 - rate)) / proportion.exposed
}
