import type { Impact } from '@burgee/contract'

/** A number of users with its 95% interval. */
export type Estimate = NonNullable<Impact['users']['all']>

/**
 * The normal quantile of the intervals. It is a little more than that of 95% (1.96), so that rounding and
 * the skew of the estimates leave at least 95%.
 */
const Z = 2.2

/** The seen users of an impact, as a sample of all. */
export interface UserSample {
  /** The users of the sample, and the most that are kept. */
  readonly count: number
  readonly max: number
  /** The greatest hash of the sample as a share of all hashes: uniform keys fill them evenly. */
  readonly lastPlace: number
}

/**
 * Estimates the number of all users from the smallest hashes: (k - 1) / h, where h is the k-th smallest as a
 * share (Bar-Yossef et al., Counting distinct elements in a data stream, 2002). A sample that is not full has
 * every user.
 */
export function estimateUsers({ count, lastPlace, max }: UserSample): Estimate {
  if (count < max || lastPlace === 0) return { estimate: count, low: count, high: count }
  const total = (count - 1) / lastPlace
  const error = (Z * total) / Math.sqrt(count)
  return {
    estimate: Math.round(total),
    low: Math.max(count, Math.floor(total - error)),
    high: Math.ceil(total + error),
  }
}

/**
 * Estimates how many of all users a change affects, from the evaluated ones: Wilson's interval of their
 * share (Wilson, Probable inference, 1927), times the interval of all users. Users whom it may affect count
 * for the upper end alone.
 */
export function estimateChanged(
  all: Estimate,
  known: number,
  { certain, possible }: Pick<Impact['changed'], 'certain' | 'possible'>,
): Estimate {
  const [low] = wilson(certain, known)
  const [, high] = wilson(certain + possible, known)
  return {
    estimate: Math.round((all.estimate * certain) / known),
    low: Math.max(certain, Math.floor(all.low * low)),
    high: Math.min(all.high, Math.ceil(all.high * high)),
  }
}

function wilson(count: number, of: number): [low: number, high: number] {
  const share = count / of
  const square = Z * Z
  const middle = share + square / (2 * of)
  const error = Z * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of))
  const scale = 1 + square / of
  return [Math.max(0, (middle - error) / scale), Math.min(1, (middle + error) / scale)]
}
