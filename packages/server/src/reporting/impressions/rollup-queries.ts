import { LISTED_VALUES_MAX, OTHER_NAME, REPORTED_NAMES_MAX } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { byteaArray, textArray } from '../../platform/db/binary-array.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

/**
 * The key under which `counted` rows are listed: their own when it is a flag of the environment or one of the
 * most frequent other keys, which every holder of a client key can invent.
 */
const SHOWN_KEY = sql`case
  when flags.key is not null
    or dense_rank() over (partition by flags.key is null order by of_key desc, flag_key) <= ${sql.lit(REPORTED_NAMES_MAX)}
  then flag_key else ${sql.lit(OTHER_NAME)} end collate "C"`

/** Joins flags. Their keys have another collation than reported ones, whose index would not be used. */
const joinFlags = (environment_id: string) => sql`
  left join flags on flags.environment_id = ${environment_id}::uuid and flags.key = flag_key collate "default"`

/**
 * Lists totals by flag after the key, in code unit order: flags of the environment, the most frequent other
 * keys, and the sum of the rest.
 */
export const statsList = (environment_id: string, after: string | null): ListQuery =>
  byFlag(
    sql`
    with counted as (
      select flag_key, sum(impressions) as of_key,
        coalesce(sum(impressions) filter (where value = 'true'), 0) as true_count,
        coalesce(sum(impressions) filter (where value = 'false'), 0) as false_count,
        flag.unique_users, max(last_seen) as last_seen
      from impression_values join impression_flags flag using (environment_id, flag_key)
      where environment_id = ${environment_id}::uuid and last_id > deleted_to
      group by flag_key, flag.unique_users
    ), listed as (
      select counted.*, ${SHOWN_KEY} as shown_key from counted ${joinFlags(environment_id)}
    )
    , totals as (
      select shown_key as flag_key, sum(of_key)::bigint as total, sum(true_count)::bigint as true_count,
        sum(false_count)::bigint as false_count, sum(unique_users)::bigint as unique_users, max(last_seen) as last_seen
      from listed group by shown_key
    )
    select flag_key, ${jsonRow(STATS_COLUMNS, ['last_seen'])} as item from totals`,
    after,
  )

const STATS_COLUMNS = ['flag_key', 'total', 'true_count', 'false_count', 'unique_users', 'last_seen']

/** Lists what `counted` returns by flag: `flag_key` and the text of its `item`. */
const byFlag = (counted: RawBuilder<unknown>, after: string | null): ListQuery => ({
  rows: sql`
    select flag_key, item, octet_length(item) as bytes from (${counted}) as counted
    where ${after}::text is null or flag_key > ${after}::text collate "C"`,
  orderBy: sql`flag_key`,
  item: sql`item`,
  place: sql`json_build_array(flag_key)`,
})

export interface FlagPlace {
  readonly environment_id: string
  readonly flag_key: string
}

/** Days from the first to the last: `2026-01-31`. */
export interface DaySpan {
  readonly from: string
  readonly to: string
}

export interface ListedValue {
  readonly value: string
  readonly value_hash: Buffer
  readonly impressions: number
  readonly unique_users: number
}

interface FlagTotals {
  readonly total_users: number
  readonly total_impressions: number
  /** The number of users, counted once for each of the values. */
  readonly users_of_values: number
}

/**
 * Lists the most frequent values of a flag, equally frequent ones by name, each with the flag's totals; none
 * without impressions.
 */
export async function listValues(
  db: Kysely<Database>,
  { environment_id, flag_key }: FlagPlace,
): Promise<(ListedValue & FlagTotals)[]> {
  const { rows } = await sql<ListedValue & FlagTotals>`
    select flag.unique_users as total_users, sum(seen.impressions) over ()::bigint as total_impressions,
      sum(seen.unique_users) over ()::bigint as users_of_values,
      seen.value, seen.value_hash, seen.impressions, seen.unique_users
    from impression_flags flag join impression_values seen using (environment_id, flag_key)
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key} and seen.last_id > flag.deleted_to
    order by seen.impressions desc, seen.value limit ${sql.lit(LISTED_VALUES_MAX)}
  `.execute(db)
  return rows
}

/**
 * Lists how often the flag gave each of the values on each day of evaluation, in order; the others together
 * are `OTHER_NAME`.
 */
export async function listTimeline(
  db: Kysely<Database>,
  { environment_id, flag_key }: FlagPlace,
  { from, to }: DaySpan,
  values: readonly ListedValue[],
) {
  const { rows } = await sql<{ day: string; value: string; count: number }>`
    with shown as materialized (
      select * from unnest(
        ${byteaArray(values.map(({ value_hash }) => value_hash))}::bytea[],
        ${textArray(values.map(({ value }) => value))}::text[]
      ) as shown (value_hash, value)
    )
    select day, coalesce(shown.value, ${OTHER_NAME}) collate "C" as value, sum(impressions)::bigint as count
    from impression_days days
    join impression_flags using (environment_id, flag_key)
    left join shown using (value_hash)
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}
      and day between ${from}::date and ${to}::date and days.last_id > deleted_to
    group by 1, 2 order by 1, 2
  `.execute(db)
  return rows
}

/**
 * Lists how often each flag after the key was evaluated on each day, in order; keys as in `statsList`, by
 * their impressions in that time.
 */
export const activityList = (
  environment_id: string,
  { from, to }: DaySpan,
  after: string | null,
): ListQuery =>
  byFlag(
    sql`
    with by_day as (
      select flag_key, day, sum(impressions) as count, sum(sum(impressions)) over (partition by flag_key) as of_key
      from impression_days days join impression_flags using (environment_id, flag_key)
      where environment_id = ${environment_id}::uuid and day between ${from}::date and ${to}::date
        and days.last_id > deleted_to
      group by flag_key, day
    ), listed as (
      select day, count, ${SHOWN_KEY} as shown_key from by_day ${joinFlags(environment_id)}
    )
    , days as (
      select shown_key, day, sum(count)::bigint as count from listed group by shown_key, day
    )
    select shown_key as flag_key, '{"flag_key":' || to_json(shown_key)::text || ',"days":[' || string_agg(
      '{"day":"' || to_char(day, 'YYYY-MM-DD') || '","count":' || count || '}', ',' order by day
    ) || ']}' as item
    from days group by shown_key`,
    after,
  )
