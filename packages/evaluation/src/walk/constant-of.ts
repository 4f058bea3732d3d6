import { MAX_PREREQUISITE_LEVELS } from '../flag-set.ts'
import type { Flags } from './closure.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createGrounds } from './create-ground.ts'
import { type WalkLimits, withinLimits } from './limits.ts'
import { runSteps } from './steps.ts'
import { walkFlag } from './walk-flag.ts'

/** The decision whether a flag gives every possible user the same. */
export type Constant =
  | { readonly verdict: 'constant'; readonly given: Given }
  | { readonly verdict: 'varies'; readonly examples: readonly { given: Given; user: Witness }[] }
  | { readonly verdict: 'undecided'; readonly why: string }

/**
 * Decides whether a flag gives every possible user one value (docs/trust.md#one-value-for-every-user). The
 * two users of `varies` have been evaluated; `constant` is a proof. It never throws for the content of flags.
 */
export function constantOf(flags: Flags, flagKey: string, limits?: WalkLimits): Constant {
  return withinLimits(
    () => decide(flags, flagKey, limits),
    () => ({ verdict: 'undecided', why: 'the rules have too many paths' }),
  )
}

function decide(flags: Flags, flagKey: string, limits: WalkLimits | undefined): Constant {
  const { grounds, start, incomplete } = runSteps(createGrounds([flags], flagKey, limits))
  const [ground] = grounds
  if (!ground) return { verdict: 'undecided', why: 'no flag' }
  const examples: { given: Given; user: Witness }[] = []
  const outcomes: Given[] = []
  for (const { path, value, enabled } of walkFlag(ground, flagKey, start, MAX_PREREQUISITE_LEVELS)) {
    const given = { value, enabled }
    if (examples.some((example) => isSame(example.given, given))) continue
    if (!outcomes.some((each) => isSame(each, given))) outcomes.push(given)
    const user = confirm(ground, path, flagKey, [{ flags, given }])
    if (user) examples.push({ given, user })
    if (examples.length > 1) return { verdict: 'varies', examples }
  }
  const [only] = outcomes
  if (incomplete.length > 0)
    return { verdict: 'undecided', why: `the values of ${incomplete.join(', ')} cannot all be listed` }
  if (outcomes.length === 1 && only && examples.length === 1) return { verdict: 'constant', given: only }
  return { verdict: 'undecided', why: 'no user was found for a path' }
}
