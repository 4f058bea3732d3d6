import type { Impact, ImpactInput } from '@burgee/contract'
import type { Attributes } from '@burgee/evaluation'
import { inShortTurns } from '../../platform/turns.ts'
import type { Comparison } from './compare.ts'
import { countFlips } from './count-flips.ts'
import { estimateChanged, estimateUsers } from './estimate-users.ts'
import type { ComparedUser } from './flag-counter.ts'
import type { SampledUser } from './queries.ts'

/** The users of a comparison, and those who get another result. */
export type CountedUsers = Pick<Impact, 'users' | 'exact' | 'changed' | 'flags'>

interface Counting {
  /** The users who were seen; empty where others are given. */
  readonly seen: readonly SampledUser[]
  readonly given?: ImpactInput['users']
  /** The users of a day that are kept. */
  readonly seenUsersMax: number
  /** The example users of each flip. */
  readonly examples: number
}

/** Counts the users who get another result, and estimates how many of all users do. */
export async function countUsers(
  comparison: Comparison,
  { examples, given, seen, seenUsersMax }: Counting,
): Promise<CountedUsers> {
  const wanted = given ? given.map(toCompared) : await inShortTurns(sampledUsers(seen, comparison))
  const counted = await inShortTurns(countFlips(comparison, wanted, examples))
  const isWhole = counted.known === wanted.length && seen.length < seenUsersMax
  const all = seen.length > 0 ? estimateUsers(sampleOf(seen, seenUsersMax)) : null
  return {
    users: {
      known: counted.known,
      with_attributes: wanted
        .slice(0, counted.known)
        .filter(({ attributes }, at) => attributes !== null && (given || seen[at]?.attributes)).length,
      all,
    },
    exact: isWhole && counted.changed.possible === 0,
    changed: {
      ...counted.changed,
      ...(all &&
        !isWhole &&
        counted.known > 0 && { all: estimateChanged(all, counted.known, counted.changed) }),
    },
    flags: counted.flags,
  }
}

const sampleOf = (seen: readonly SampledUser[], max: number) => ({
  ...{ count: seen.length, max, lastPlace: seen.at(-1)?.place ?? 0 },
})

const toCompared = ({ attributes, user_key }: NonNullable<ImpactInput['users']>[number]): ComparedUser => ({
  user_key,
  attributes: (attributes ?? null) as Attributes | null,
})

/** The users between two yields. */
const USERS_A_STEP = 200

function* sampledUsers(
  seen: readonly SampledUser[],
  comparison: Comparison,
): Generator<void, ComparedUser[]> {
  const users: ComparedUser[] = []
  for (const [at, user] of seen.entries()) {
    if (at % USERS_A_STEP === 0) yield
    users.push(sampled(user, comparison))
  }
  return users
}

/**
 * Returns a seen user for the comparison. The attributes that rules named at that time were kept: one that
 * only the change names is not known, unlike one that the user did not have.
 */
function sampled({ attributes, user_key }: SampledUser, { attributes: named }: Comparison): ComparedUser {
  const missing = [...named].some(
    (name) => name !== '$user_key' && !(attributes && Object.hasOwn(attributes, name)),
  )
  if (missing) return { user_key, attributes: null }
  const had = Object.entries(attributes ?? {}).filter(([, value]) => value !== null)
  return { user_key, attributes: Object.fromEntries(had) as Attributes }
}
