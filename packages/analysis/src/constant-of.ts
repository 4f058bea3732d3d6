import { MAX_PREREQUISITE_LEVELS } from '../../evaluation/src/flag-set.ts'
import type { Flags } from './closure.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createExplorations } from './create-explorations.ts'
import { exploreFlag } from './explore-flag.ts'
import { type ExplorationLimits, stepsWithinLimits } from './limits.ts'
import { runSteps, type Steps } from './steps.ts'
import { TOO_MANY_PATHS } from './verdict.ts'

/** The decision whether a flag gives every possible user the same. */
export type Constant =
  | { readonly verdict: 'constant'; readonly given: Given }
  | { readonly verdict: 'varies'; readonly examples: readonly { given: Given; user: Witness }[] }
  | { readonly verdict: 'undecided'; readonly why: string }

/**
 * Decides whether a flag gives every possible user one value (docs/trust.md#one-value-for-every-user). The
 * two users of `varies` have been evaluated; `constant` is a proof. It never throws for the content of flags.
 */
export const constantOf = (flags: Flags, flagKey: string, limits?: ExplorationLimits): Constant =>
  runSteps(constantInSteps(flags, flagKey, limits))

/** Decides as `constantOf` does, and yields where it may be interrupted. The time counts meanwhile. */
export const constantInSteps = (flags: Flags, flagKey: string, limits?: ExplorationLimits): Steps<Constant> =>
  stepsWithinLimits<Constant>(decide(flags, flagKey, limits), TOO_MANY_PATHS)

function* decide(flags: Flags, flagKey: string, limits: ExplorationLimits | undefined): Steps<Constant> {
  const { explorations, start, incomplete } = yield* createExplorations([flags], flagKey, limits)
  const [exploration] = explorations
  if (!exploration) return { verdict: 'undecided', why: 'no flag' }
  const examples: { given: Given; user: Witness }[] = []
  const outcomes: Given[] = []
  for (const { path, value, enabled } of exploreFlag(exploration, flagKey, start, MAX_PREREQUISITE_LEVELS)) {
    yield
    const given = { value, enabled }
    if (examples.some((example) => isSame(example.given, given))) continue
    if (!outcomes.some((each) => isSame(each, given))) outcomes.push(given)
    const user = yield* confirm(exploration, path, flagKey, [{ flags, given }])
    if (user) examples.push({ given, user })
    if (examples.length > 1) return { verdict: 'varies', examples }
  }
  const [only] = outcomes
  if (incomplete.length > 0)
    return { verdict: 'undecided', why: `the values of ${incomplete.join(', ')} cannot all be listed` }
  if (outcomes.length === 1 && only && examples.length === 1) return { verdict: 'constant', given: only }
  return { verdict: 'undecided', why: 'no user was found for a path' }
}
