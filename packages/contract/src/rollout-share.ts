/** The thousandths of a percent in one percent. */
const THOUSANDTHS = 1_000

/** A share of users as it is written: in percent, in thousandths of a percent, or in both. */
export interface WrittenShare {
  readonly rollout_percentage?: number | null
  readonly rollout_thousandths?: number | null
}

/** Returns the share in percent: as given, or the whole percentage of the thousandths; null without both. */
export const percentageOf = ({ rollout_percentage, rollout_thousandths }: WrittenShare): number | null =>
  rollout_percentage ?? (isNumber(rollout_thousandths) ? Math.floor(rollout_thousandths / THOUSANDTHS) : null)

/** Tests whether the two forms of a share disagree. */
export const isAmbiguous = ({ rollout_percentage, rollout_thousandths }: WrittenShare): boolean =>
  isNumber(rollout_thousandths) &&
  isNumber(rollout_percentage) &&
  rollout_percentage !== Math.floor(rollout_thousandths / THOUSANDTHS)

export const AMBIGUOUS_SHARE =
  'and rollout_percentage do not agree: the percentage is the whole part of the thousandths divided by 1,000; send one of them'

/**
 * Returns a merge patch in which each form of a share follows the other: the percentage alone clears the
 * thousandths, and the thousandths alone set the percentage.
 */
export function completeShare<P extends WrittenShare>(patch: P): P {
  const { rollout_percentage, rollout_thousandths } = patch
  if (rollout_percentage !== undefined && rollout_thousandths === undefined)
    return { ...patch, rollout_thousandths: null }
  if (rollout_percentage === undefined && isNumber(rollout_thousandths))
    return { ...patch, rollout_percentage: percentageOf(patch) }
  return patch
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number'
