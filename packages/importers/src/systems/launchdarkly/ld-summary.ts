import { isObject, type JsonObject, numberOf, objectOf } from '../../reading.ts'

/** True in a state whose rules the file only counts. */
export const ONLY_COUNTED = 'onlyCounted'

/**
 * A list of flags has a summary in place of rules and variations, unless `summary=0` was requested. What the
 * summary states is enough for a flag without rules, targets and prerequisites.
 */
export function completeState(state: JsonObject): JsonObject {
  const summary = objectOf(state._summary)
  if (isObject(state.fallthrough) || !isObject(summary.variations)) return state
  const variations = Object.entries(summary.variations).map(([index, counts]) => ({
    variation: Number(index),
    counts: objectOf(counts),
  }))
  const find = (field: string) => variations.find(({ counts }) => counts[field] === true)?.variation
  const isCounted = (field: string) => variations.some(({ counts }) => (numberOf(counts[field]) ?? 0) > 0)
  const weights = variations.flatMap(({ counts, variation }) => {
    const weight = numberOf(counts.rollout)
    return weight === null ? [] : [{ variation, weight }]
  })
  const served = find('isFallthrough')
  const fallthrough = served === undefined ? { rollout: { variations: weights } } : { variation: served }
  const hasMore =
    ['rules', 'targets', 'contextTargets', 'nullRules'].some(isCounted) ||
    (numberOf(summary.prerequisites) ?? 0) > 0
  return { ...state, fallthrough, offVariation: find('isOff'), [ONLY_COUNTED]: hasMore }
}
