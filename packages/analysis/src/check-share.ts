import { type Condition, deepEqual, type FlagSet, type JsonValue } from '@burgee/evaluation'
import { MAX_PREREQUISITE_LEVELS } from '../../evaluation/src/flag-set.ts'
import { confirm, type Witness } from './confirm.ts'
import { createExplorations } from './create-explorations.ts'
import type { Exploration } from './exploration.ts'
import { exploreFlag, exploreWhen } from './explore-flag.ts'
import { type ExplorationLimits, stepsWithinLimits } from './limits.ts'
import { isIndependent, meet, type Path, shareOf } from './path.ts'
import { runSteps, type Steps } from './steps.ts'
import { decided, NO_USER, TOO_MANY_PATHS } from './verdict.ts'

/** The decision on the largest share of users of one kind who may get a value. */
export type ShareVerdict =
  | { readonly verdict: 'holds' }
  /** Users with these attributes get the value in the given percentage. This one does. */
  | { readonly verdict: 'violated'; readonly percent: number; readonly user: Witness }
  | { readonly verdict: 'undecided'; readonly why: string }

/** The most of users of one kind who may get a value. */
export interface ShareLimit {
  readonly value: JsonValue
  readonly percent: number
}

/** The paths that are searched between two steps. */
const SEARCHED_AT_ONCE = 200

const DEPENDENT = {
  verdict: 'undecided',
  why: 'divisions with the same salt depend on each other, so their shares cannot be computed',
} as const

/** Sums of shares are not exact in binary. */
const ROUNDING = 1e-9

/**
 * Decides whether at most a percentage of the users of each kind gets a value: a kind is all users with the
 * same attributes, whose keys differ. Shares are exact; those of divisions with different salts, hashes or
 * attributes multiply. Users without a key are a kind too, of which all or none get the value.
 */
export const checkShare = (...input: Parameters<typeof checkKinds>): ShareVerdict =>
  runSteps(checkShareInSteps(...input))

/** Decides as `checkShare` does, and yields where it may be interrupted. The time counts meanwhile. */
export const checkShareInSteps = (...input: Parameters<typeof checkKinds>): Steps<ShareVerdict> =>
  stepsWithinLimits<ShareVerdict>(checkKinds(...input), TOO_MANY_PATHS)

function* checkKinds(
  flags: FlagSet,
  flagKey: string,
  when: readonly Condition[],
  { value, percent }: ShareLimit,
  limits?: ExplorationLimits,
): Steps<ShareVerdict> {
  const { explorations, start, incomplete } = yield* createExplorations(
    [flags],
    flagKey,
    limits,
    undefined,
    when,
  )
  const [exploration] = explorations
  if (!exploration) return NO_USER
  const paths: Path[] = []
  for (const users of exploreWhen(exploration, when, start))
    for (const outcome of exploreFlag(exploration, flagKey, users, MAX_PREREQUISITE_LEVELS)) {
      yield
      if (deepEqual(outcome.value, value)) paths.push(outcome.path)
    }
  if (!paths.every(isIndependent)) return DEPENDENT
  const found = yield* findKind(exploration, paths, percent / 100 + ROUNDING)
  if (!found) return decided(incomplete, false, { verdict: 'holds' })
  for (const path of found.paths) {
    const { places } = path
    for (const enabled of [true, false]) {
      const user = yield* confirm(exploration, { ...found.kind, places }, flagKey, [
        { flags, given: { value, enabled } },
      ])
      if (user) return { verdict: 'violated', percent: found.share * 100, user }
    }
  }
  return NO_USER
}

interface Kind {
  readonly kind: Path
  readonly paths: readonly Path[]
  readonly share: number
}

/** Returns users of several paths, which together have more than the share. */
function* findKind(exploration: Exploration, paths: readonly Path[], most: number): Steps<Kind | null> {
  const sorted = [...paths].sort((one, other) => shareOf(other) - shareOf(one))
  // The sum of the shares from each path on.
  const rest: number[] = []
  let sum = 0
  for (const path of sorted.toReversed()) {
    sum += shareOf(path)
    rest.push(sum)
  }

  let count = 0
  function* search(index: number, before: Kind | null): Steps<Kind | null> {
    exploration.spendPath()
    // Each step resumes all levels of the search.
    if (++count % SEARCHED_AT_ONCE === 0) yield
    const path = sorted[index]
    if (!path || (before?.share ?? 0) + (rest[sorted.length - 1 - index] ?? 0) <= most) return null
    const kind = before ? meet(before.kind, path, exploration.classesOf) : path
    if (kind) {
      const joined = {
        kind,
        paths: [...(before?.paths ?? []), path],
        share: (before?.share ?? 0) + shareOf(path),
      }
      const found = joined.share > most ? joined : yield* search(index + 1, joined)
      if (found) return found
    }
    return yield* search(index + 1, before)
  }
  return yield* search(0, null)
}
