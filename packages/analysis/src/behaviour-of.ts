import type { Flags } from './closure.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createExplorations, type Explorations } from './create-explorations.ts'
import { type ExplorationLimits, stepsWithinLimits } from './limits.ts'
import { exploreBoth } from './pairs-of.ts'
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
export function behaviourOf(
  source: Flags,
  target: Flags,
  flagKey: string,
  limits?: ExplorationLimits,
): Behaviour {
  return runSteps(behaviourInSteps(source, target, flagKey, limits))
}

/** Decides as `behaviourOf` does, and yields where it may be interrupted. The time counts meanwhile. */
export const behaviourInSteps = (
  source: Flags,
  target: Flags,
  flagKey: string,
  limits?: ExplorationLimits,
): Steps<Behaviour> => stepsWithinLimits<Behaviour>(compare(source, target, flagKey, limits), TOO_MANY_PATHS)

function* compare(
  source: Flags,
  target: Flags,
  flagKey: string,
  limits: ExplorationLimits | undefined,
): Steps<Behaviour> {
  const prepared = yield* createExplorations([source, target], flagKey, limits)
  const explored = yield* stepsWithinLimits(explore(prepared, source, target, flagKey), TOO_MANY_PATHS)
  if (explored.verdict !== 'undecided') return explored
  const found = yield* searchUser(prepared, [source, target], flagKey)
  return found ? { verdict: 'different', ...found } : explored
}

function* explore(prepared: Explorations, source: Flags, target: Flags, flagKey: string): Steps<Behaviour> {
  const [exploration] = prepared.explorations
  if (!exploration) return NO_USER
  let isOpen = false
  for (const [path, was, is] of exploreBoth(prepared, flagKey)) {
    yield
    if (isSame(was, is)) continue
    const user = yield* confirm(exploration, path, flagKey, [
      { flags: source, given: was },
      { flags: target, given: is },
    ])
    if (user) return { verdict: 'different', source: was, target: is, user }
    isOpen = true
  }
  return decided(prepared.incomplete, isOpen, { verdict: 'same' })
}
