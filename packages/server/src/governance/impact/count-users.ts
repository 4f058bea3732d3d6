import type { Impact, ImpactInput } from '@burgee/contract'
import type { Attributes } from '@burgee/evaluation'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Comparison } from './compare.ts'
import { countFlips } from './count-flips.ts'
import { estimateChanged, estimateUsers } from './estimate-users.ts'
import type { ComparedUser } from './flag-counter.ts'
import type { SeenSample } from './queries.ts'

/** The users of a comparison, and those who get another result. */
export type CountedUsers = Pick<Impact, 'users' | 'exact' | 'changed' | 'flags'>

interface Counting {
  /** The users who were seen, or those who are given. */
  readonly users: SeenSample | NonNullable<ImpactInput['users']>
  /** The users of a day that are kept. */
  readonly seenUsersMax: number
  /** The example users of each flip. */
  readonly examples: number
}

/** Counts the users who get another result, and estimates how many of all users do. */
export async function countUsers(
  comparison: Comparison,
  { examples, seenUsersMax, users }: Counting,
): Promise<CountedUsers> {
  const seen = 'pages' in users ? users : null
  const compared = 'pages' in users ? sampledUsers(users, comparison) : users.map(toCompared)
  const { changed, flags, known, with_attributes } = await inShortTurns(
    countFlips(comparison, compared, examples),
  )
  const isWhole =
    'pages' in users ? known === users.count && hasEveryUser(users, seenUsersMax) : known === users.length
  const all = seen && seen.count > 0 ? estimateUsers(sampleOf(seen, seenUsersMax)) : null
  return {
    users: { known, with_attributes, all },
    exact: isWhole && changed.possible === 0,
    changed: {
      ...changed,
      ...(all && !isWhole && known > 0 && { all: estimateChanged(all, known, changed) }),
    },
    flags,
  }
}

const hasEveryUser = ({ count, isCut }: SeenSample, max: number): boolean => !isCut && count < max

/** A sample that was cut is full with the users that it has. */
const sampleOf = ({ count, isCut, lastPlace }: SeenSample, max: number) => ({
  ...{ count, lastPlace, max: isCut ? count : max },
})

const toCompared = ({ attributes, user_key }: NonNullable<ImpactInput['users']>[number]): ComparedUser => ({
  user_key,
  attributes: (attributes ?? null) as Attributes | null,
  hasAttributes: (attributes ?? null) !== null,
})

/** Parses the users of a sample page by page: all of them at once would keep the garbage collector busy. */
function* sampledUsers({ pages }: SeenSample, comparison: Comparison): Generator<ComparedUser, void> {
  for (const page of pages) {
    const users = JSON.parse(page) as (string | SeenAttributes)[]
    for (let at = 0; at < users.length; at += 2)
      yield sampled(String(users[at]), users[at + 1] as SeenAttributes, comparison)
  }
}

type SeenAttributes = Readonly<Record<string, unknown>> | null

/**
 * Returns a seen user for the comparison. The attributes that rules named at that time were kept: one that
 * only the change names is not known, unlike one that the user did not have.
 */
function sampled(
  user_key: string,
  attributes: SeenAttributes,
  { attributes: named }: Comparison,
): ComparedUser {
  const missing = [...named].some(
    (name) => name !== '$user_key' && !(attributes && Object.hasOwn(attributes, name)),
  )
  if (missing) return { user_key, attributes: null, hasAttributes: false }
  const had = Object.entries(attributes ?? {}).filter(([, value]) => value !== null)
  return { user_key, attributes: Object.fromEntries(had) as Attributes, hasAttributes: attributes !== null }
}
