import { type Condition, deepEqual, type FlagSet, type JsonValue } from '@burgee/evaluation'
import { MAX_PREREQUISITE_LEVELS } from '../../evaluation/src/flag-set.ts'
import { confirm, type Given } from './confirm.ts'
import { createExplorations } from './create-explorations.ts'
import { exploreFlag, exploreWhen } from './explore-flag.ts'
import { type ExplorationLimits, stepsWithinLimits } from './limits.ts'
import { runSteps, type Steps } from './steps.ts'
import { decided, TOO_MANY_PATHS, type Verdict } from './verdict.ts'

/** A value of a flag. */
export interface FlagValue {
  readonly flagKey: string
  readonly value: JsonValue
}

/**
 * Decides whether every user who meets the conditions gets an allowed result of a flag. `holds` is a proof;
 * the user of `violated` has been evaluated.
 */
export const checkValues = (...input: Parameters<typeof checkEach>): Verdict =>
  runSteps(checkValuesInSteps(...input))

/** Decides as `checkValues` does, and yields where it may be interrupted. The time counts meanwhile. */
export const checkValuesInSteps = (...input: Parameters<typeof checkEach>): Steps<Verdict> =>
  stepsWithinLimits<Verdict>(checkEach(...input), TOO_MANY_PATHS)

function* checkEach(
  flags: FlagSet,
  flagKey: string,
  when: readonly Condition[],
  isAllowed: (given: Given) => boolean,
  limits?: ExplorationLimits,
): Steps<Verdict> {
  const { explorations, start, incomplete } = yield* createExplorations(
    [flags],
    flagKey,
    limits,
    undefined,
    when,
  )
  let isOpen = false
  for (const exploration of explorations)
    for (const users of exploreWhen(exploration, when, start))
      for (const { path, ...given } of exploreFlag(exploration, flagKey, users, MAX_PREREQUISITE_LEVELS)) {
        yield
        if (isAllowed(given)) continue
        const user = yield* confirm(exploration, path, flagKey, [{ flags, given }])
        if (user) return { verdict: 'violated', given, user }
        isOpen = true
      }
  return decided(incomplete, isOpen, { verdict: 'holds' })
}

/**
 * Decides whether every user who meets the conditions and gets the one value also gets the other. The result
 * of `violated` is that of the other flag.
 */
export const checkImplication = (...input: Parameters<typeof checkBoth>): Verdict =>
  runSteps(checkImplicationInSteps(...input))

/** Decides as `checkImplication` does, and yields where it may be interrupted. The time counts meanwhile. */
export const checkImplicationInSteps = (...input: Parameters<typeof checkBoth>): Steps<Verdict> =>
  stepsWithinLimits<Verdict>(checkBoth(...input), TOO_MANY_PATHS)

function* checkBoth(
  flags: FlagSet,
  when: readonly Condition[],
  one: FlagValue,
  other: FlagValue,
  limits?: ExplorationLimits,
): Steps<Verdict> {
  const keys = [one.flagKey, other.flagKey]
  const { explorations, start, incomplete } = yield* createExplorations(
    [flags],
    keys,
    limits,
    undefined,
    when,
  )
  let isOpen = false
  for (const exploration of explorations)
    for (const users of exploreWhen(exploration, when, start))
      for (const first of exploreFlag(exploration, one.flagKey, users, MAX_PREREQUISITE_LEVELS)) {
        yield
        if (!deepEqual(first.value, one.value)) continue
        for (const second of exploreFlag(exploration, other.flagKey, first.path, MAX_PREREQUISITE_LEVELS)) {
          yield
          const { path, ...given } = second
          if (deepEqual(given.value, other.value)) continue
          const user = yield* confirm(exploration, path, other.flagKey, [
            { flags, given },
            { flags, given: first, key: one.flagKey },
          ])
          if (user) return { verdict: 'violated', given, user }
          isOpen = true
        }
      }
  return decided(incomplete, isOpen, { verdict: 'holds' })
}
