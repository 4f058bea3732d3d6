import type { Flags } from './closure.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createGrounds } from './create-ground.ts'
import type { WalkLimits } from './limits.ts'
import { walkBoth } from './pairs-of.ts'
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
  const steps = behaviourInSteps(source, target, flagKey, limits)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Decides as `behaviourOf` does, and yields where it may be interrupted. The time counts meanwhile. */
export function* behaviourInSteps(
  source: Flags,
  target: Flags,
  flagKey: string,
  limits?: WalkLimits,
): Generator<void, Behaviour> {
  try {
    return yield* compare(source, target, flagKey, limits)
  } catch (error) {
    if (error instanceof RangeError) return TOO_MANY_PATHS
    throw error
  }
}

function* compare(
  source: Flags,
  target: Flags,
  flagKey: string,
  limits: WalkLimits | undefined,
): Generator<void, Behaviour> {
  const prepared = createGrounds([source, target], flagKey, limits)
  const [ground] = prepared.grounds
  if (!ground) return NO_USER
  let isOpen = false
  for (const [path, was, is] of walkBoth(prepared, flagKey)) {
    yield
    if (isSame(was, is)) continue
    const user = confirm(ground, path, flagKey, [
      { flags: source, given: was },
      { flags: target, given: is },
    ])
    if (user) return { verdict: 'different', source: was, target: is, user }
    isOpen = true
  }
  return decided(prepared.incomplete, isOpen, { verdict: 'same' })
}
