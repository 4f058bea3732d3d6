import type { Flags } from './closure.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createGrounds, type Grounds } from './create-ground.ts'
import { stepsWithinLimits, type WalkLimits } from './limits.ts'
import { walkBoth } from './pairs-of.ts'
import { searchUser } from './search-user.ts'
import { runSteps, type Steps } from './steps.ts'
import { decided, NO_USER, TOO_MANY_PATHS } from './verdict.ts'

/** The decision whether two flags give every user the same. */
export type Behaviour =
  | { readonly verdict: 'same' }
  | {
      readonly verdict: 'different'
      readonly source: Given
      readonly target: Given
      readonly user: Witness
    }
  | { readonly verdict: 'undecided'; readonly why: string }

/**
 * Decides whether a flag gives every possible user the same in two sets, each with its own prerequisites.
 * `same` is a proof; the user of `different` has been evaluated in both sets.
 */
export function behaviourOf(source: Flags, target: Flags, flagKey: string, limits?: WalkLimits): Behaviour {
  return runSteps(behaviourInSteps(source, target, flagKey, limits))
}

/** Decides as `behaviourOf` does, and yields where it may be interrupted. The time counts meanwhile. */
export const behaviourInSteps = (
  source: Flags,
  target: Flags,
  flagKey: string,
  limits?: WalkLimits,
): Steps<Behaviour> => stepsWithinLimits<Behaviour>(compare(source, target, flagKey, limits), TOO_MANY_PATHS)

function* compare(
  source: Flags,
  target: Flags,
  flagKey: string,
  limits: WalkLimits | undefined,
): Steps<Behaviour> {
  const prepared = yield* createGrounds([source, target], flagKey, limits)
  const walked = yield* stepsWithinLimits(walk(prepared, source, target, flagKey), TOO_MANY_PATHS)
  if (walked.verdict !== 'undecided') return walked
  const found = yield* searchUser(prepared, [source, target], flagKey)
  return found ? { verdict: 'different', ...found } : walked
}

function* walk(prepared: Grounds, source: Flags, target: Flags, flagKey: string): Steps<Behaviour> {
  const [ground] = prepared.grounds
  if (!ground) return NO_USER
  let isOpen = false
  for (const [path, was, is] of walkBoth(prepared, flagKey)) {
    yield
    if (isSame(was, is)) continue
    const user = yield* confirm(ground, path, flagKey, [
      { flags: source, given: was },
      { flags: target, given: is },
    ])
    if (user) return { verdict: 'different', source: was, target: is, user }
    isOpen = true
  }
  return decided(prepared.incomplete, isOpen, { verdict: 'same' })
}
