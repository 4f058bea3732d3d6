import type { Flags } from './closure.ts'
import { isSame } from './confirm.ts'
import { createExplorations } from './create-explorations.ts'
import { type ExplorationLimits, stepsWithinLimits } from './limits.ts'
import { exploreBoth } from './pairs-of.ts'
import { isIndependent, shareOf } from './path.ts'
import { runSteps, type Steps } from './steps.ts'

/**
 * Returns the exact share (0 to 1) of all possible user keys that get another result of a flag in two sets;
 * null where attributes decide, or there are too many paths. Anonymous users are not counted.
 */
export const changeShareOf = (...input: Parameters<typeof changeShareInSteps>): number | null =>
  runSteps(changeShareInSteps(...input))

/** Computes as `changeShareOf` does, and yields where it may be interrupted. The time counts meanwhile. */
export const changeShareInSteps = (
  before: Flags,
  after: Flags,
  flagKey: string,
  limits?: ExplorationLimits,
): Steps<number | null> => stepsWithinLimits<number | null>(sum(before, after, flagKey, limits), null)

function* sum(
  before: Flags,
  after: Flags,
  flagKey: string,
  limits: ExplorationLimits | undefined,
): Steps<number | null> {
  const prepared = yield* createExplorations([before, after], flagKey, limits)
  let share = 0
  for (const [path, was, is] of exploreBoth(prepared, flagKey)) {
    yield
    if (path.conditions.size > 0 || !isIndependent(path)) return null
    if (path.hasKey !== false && !isSame(was, is)) share += shareOf(path)
  }
  return share
}
