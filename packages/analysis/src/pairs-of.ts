import type { FlagSet } from '@burgee/evaluation'
import { MAX_PREREQUISITE_LEVELS } from '../../evaluation/src/flag-set.ts'
import { confirm, type Given, isSame, type Witness } from './confirm.ts'
import { createExplorations, type Explorations } from './create-explorations.ts'
import { exploreFlag } from './explore-flag.ts'
import { type ExplorationLimits, withinLimits } from './limits.ts'
import type { Path } from './path.ts'
import { runSteps } from './steps.ts'

/** The results of a user before and after a change. */
export interface ReachedPair {
  readonly before: Given
  readonly after: Given
  /** A user who gets this, evaluated in both sets; null where none was found. */
  readonly user: Witness | null
}

/** Every pair that the user can get. With `why` there may be others. */
export interface Pairs {
  readonly pairs: readonly ReachedPair[]
  readonly why?: string
}

/**
 * Returns what a user whose attributes are unknown can get of a flag before and after a change, both with the
 * same attributes. The attributes hold no `$user_key`: it is the key.
 *
 * @param userKey Null for an anonymous user.
 */
export function pairsOf(
  before: FlagSet,
  after: FlagSet,
  flagKey: string,
  userKey: string | null,
  limits?: ExplorationLimits,
): Pairs {
  const pairs: ReachedPair[] = []
  const collect = () => collectPairs(pairs, before, after, flagKey, userKey, limits)
  const why = withinLimits(collect, () => 'the rules have too many paths')
  return why === undefined ? { pairs } : { pairs, why }
}

/** Adds every pair, and returns why there may be others. */
function collectPairs(
  pairs: ReachedPair[],
  before: FlagSet,
  after: FlagSet,
  flagKey: string,
  userKey: string | null,
  limits: ExplorationLimits | undefined,
): string | undefined {
  const prepared = runSteps(createExplorations([before, after], flagKey, limits, userKey))
  const [exploration] = prepared.explorations
  if (!exploration) return undefined
  for (const [path, was, is] of exploreBoth(prepared, flagKey)) {
    const index = pairs.findIndex((pair) => isSame(pair.before, was) && isSame(pair.after, is))
    if (pairs[index]?.user) continue
    const expected = [
      { flags: before, given: was },
      { flags: after, given: is },
    ]
    const user = runSteps(confirm(exploration, path, flagKey, expected))
    const pair = { before: was, after: is, user }
    if (index < 0) pairs.push(pair)
    else pairs[index] = pair
  }
  const { incomplete } = prepared
  return incomplete.length > 0 ? `the values of ${incomplete.join(', ')} cannot all be listed` : undefined
}

/** Yields the results of both sets for every path. */
export function* exploreBoth(
  { explorations, start }: Explorations,
  key: string,
): Generator<[Path, Given, Given]> {
  const [before, after] = explorations
  if (!before || !after) return
  for (const { path, ...was } of exploreFlag(before, key, start, MAX_PREREQUISITE_LEVELS))
    for (const { path: end, ...is } of exploreFlag(after, key, path, MAX_PREREQUISITE_LEVELS))
      yield [end, was, is]
}
