import { type Exposure, OTHER_NAME } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type DaySpan, type FlagPlace, type ListedValue, listTimeline, listValues } from './rollup-queries.ts'

/** The characters of the values in one response and its timeline. A value may have 8,192 characters. */
const VALUES_MAX_CHARACTERS = 1024 * 1024
const TIMELINE_MAX_CHARACTERS = 6 * 1024 * 1024
/** The characters of an entry beside its value. */
const CHARACTERS_AN_ENTRY = 60

/**
 * Returns which values users saw, over all time, and a timeline by day. Of a flag with many or long values
 * the most frequent are listed, and the others together as `OTHER_NAME`. A flag without impressions has
 * zeros.
 */
export async function readExposure(
  db: Kysely<Database>,
  place: FlagPlace,
  span: DaySpan & { readonly days: number },
): Promise<Exposure> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const values = await listValues(tx, place)
      const [first] = values
      const { flag_key } = place
      if (!first) return { flag_key, total_impressions: 0, total_users: 0, variants: [], timeline: [] }
      const { total_impressions, total_users, users_of_values } = first
      const variants = takeFirst(values, { entries: 1, charactersMax: VALUES_MAX_CHARACTERS })
      const inTimeline = takeFirst(variants, { entries: span.days, charactersMax: TIMELINE_MAX_CHARACTERS })
      return {
        flag_key,
        total_impressions,
        total_users,
        variants: toVariants(variants, { impressions: total_impressions, unique_users: users_of_values }),
        timeline: await listTimeline(tx, place, span, inTimeline),
      }
    })
}

/** Returns as many of the first values as fit, at least one, when each occurs in that many entries. */
function takeFirst<V extends ListedValue>(
  values: readonly V[],
  { charactersMax, entries }: { readonly entries: number; readonly charactersMax: number },
): readonly V[] {
  let characters = 0
  const end = values.findIndex(({ value }, at) => {
    characters += entries * (value.length + CHARACTERS_AN_ENTRY)
    return at > 0 && characters > charactersMax
  })
  return end < 0 ? values : values.slice(0, end)
}

/** Returns the values, and last the sum of the others, where a user counts once for each value. */
function toVariants(
  values: readonly ListedValue[],
  total: { readonly impressions: number; readonly unique_users: number },
): Exposure['variants'] {
  const sum = (count: (value: ListedValue) => number) => values.reduce((all, value) => all + count(value), 0)
  const rest = total.impressions - sum(({ impressions }) => impressions)
  const variants = values.map(({ impressions, unique_users, value }) => ({
    value,
    impressions,
    unique_users,
  }))
  if (rest === 0) return variants
  const reported = variants.find(({ value }) => value === OTHER_NAME)
  const others = {
    value: OTHER_NAME,
    impressions: rest + (reported?.impressions ?? 0),
    unique_users:
      total.unique_users - sum(({ unique_users }) => unique_users) + (reported?.unique_users ?? 0),
  }
  return [...variants.filter((variant) => variant !== reported), others]
}
