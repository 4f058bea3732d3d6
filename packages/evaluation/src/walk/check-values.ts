import { deepEqual } from '../deep-equal.ts'
import type { Condition, JsonValue } from '../flag.ts'
import { type FlagSet, MAX_PREREQUISITE_LEVELS } from '../flag-set.ts'
import { confirm, type Given } from './confirm.ts'
import { createGrounds } from './create-ground.ts'
import { stepsWithinLimits, type WalkLimits } from './limits.ts'
import { runSteps, type Steps } from './steps.ts'
import { decided, TOO_MANY_PATHS, type Verdict } from './verdict.ts'
import { walkFlag, walkWhen } from './walk-flag.ts'

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
  limits?: WalkLimits,
): Steps<Verdict> {
  const { grounds, start, incomplete } = yield* createGrounds([flags], flagKey, limits, undefined, when)
  let isOpen = false
  for (const ground of grounds)
    for (const users of walkWhen(ground, when, start))
      for (const { path, ...given } of walkFlag(ground, flagKey, users, MAX_PREREQUISITE_LEVELS)) {
        yield
        if (isAllowed(given)) continue
        const user = yield* confirm(ground, path, flagKey, [{ flags, given }])
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
  limits?: WalkLimits,
): Steps<Verdict> {
  const keys = [one.flagKey, other.flagKey]
  const { grounds, start, incomplete } = yield* createGrounds([flags], keys, limits, undefined, when)
  let isOpen = false
  for (const ground of grounds)
    for (const users of walkWhen(ground, when, start))
      for (const first of walkFlag(ground, one.flagKey, users, MAX_PREREQUISITE_LEVELS)) {
        yield
        if (!deepEqual(first.value, one.value)) continue
        for (const second of walkFlag(ground, other.flagKey, first.path, MAX_PREREQUISITE_LEVELS)) {
          yield
          const { path, ...given } = second
          if (deepEqual(given.value, other.value)) continue
          const user = yield* confirm(ground, path, other.flagKey, [
            { flags, given },
            { flags, given: first, key: one.flagKey },
          ])
          if (user) return { verdict: 'violated', given, user }
          isOpen = true
        }
      }
  return decided(incomplete, isOpen, { verdict: 'holds' })
}
