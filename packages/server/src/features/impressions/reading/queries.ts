import type { Impression, ImpressionStats } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { LISTED_VALUES_MAX } from '../../../kernel/listed-values.ts'
import { reportHash } from '../../../platform/crypto/report-hash.ts'
import type { Database } from '../../../platform/db/tables.ts'

/** What a list is narrowed by; all of it exact. */
export interface ImpressionFilter {
  readonly environment_id: string
  /** The first day that is still kept: `2026-01-31`. */
  readonly received_from: string
  readonly flag_key?: string | undefined
  readonly user_id?: string | undefined
  readonly value?: string | undefined
}

export interface DayTotal {
  readonly received_on: string
  readonly impressions: number
}

/** How many impressions match by the day of their arrival, latest first, whoever saw them. Read from the rollup. */
export async function countByArrival(
  db: Kysely<Database>,
  { environment_id, flag_key, received_from, value }: Omit<ImpressionFilter, 'user_id'>,
): Promise<DayTotal[]> {
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const of_value = value === undefined ? sql`` : sql`and value_hash = ${reportHash(value)}`
  const { rows } = await sql<DayTotal>`
    select received_on, sum(impressions)::bigint as impressions from impression_days
    where environment_id = ${environment_id}::uuid and received_on >= ${received_from}::date ${flag} ${of_value}
    group by received_on order by received_on desc
  `.execute(db)
  return rows
}

/** How many single impressions match. */
export async function countMatching(db: Kysely<Database>, filter: ImpressionFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from impressions where ${matches(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The last impression of the flag and value of the filter, whoever saw it: where what matches is rare and old, nothing after it has to be
 * looked through. Null without flag and value. Read from the rollup.
 */
export async function findLastId(
  db: Kysely<Database>,
  { environment_id, flag_key, value }: ImpressionFilter,
): Promise<number | null> {
  if (flag_key === undefined && value === undefined) return null
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const of_value = value === undefined ? sql`` : sql`and value_hash = ${reportHash(value)}`
  const { rows } = await sql<{ last_id: number }>`
    select coalesce(max(last_id), 0) as last_id from impression_values
    where environment_id = ${environment_id}::uuid ${flag} ${of_value}
  `.execute(db)
  return rows[0]?.last_id ?? 0
}

interface Page {
  readonly limit: number
  /** Nothing that matches has a greater id; null where that is not known. */
  readonly last_id: number | null
}

/** Those that match, newest first; `day` where they all arrived on it. */
export async function listNewest(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  { day, last_id, limit, offset }: Page & { readonly day: string | null; readonly offset: number },
): Promise<Impression[]> {
  const on_day = day === null ? sql`` : sql`and received_on = ${day}::date`
  const { rows } = await sql<Impression>`
    select ${COLUMNS} from impressions where ${matches(filter)} ${on_day} ${upTo(last_id)}
    order by id desc limit ${limit}::int offset ${offset}::bigint
  `.execute(db)
  return rows
}

/** Those that match with a greater id, in the order of ids. */
export async function listAfter(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  { last_id, limit, since_id }: Page & { readonly since_id: number },
): Promise<Impression[]> {
  const { rows } = await sql<Impression>`
    select ${COLUMNS} from impressions where ${matches(filter)} and id > ${since_id}::bigint ${upTo(last_id)}
    order by id limit ${limit}::int
  `.execute(db)
  return rows
}

/** The latest day on which impressions arrived, the id of its first and the last id of all; null when there are none. */
export async function findLatestArrival(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ received_on: string; day_first_id: number; last_id: number } | null> {
  const found = await db
    .selectFrom('report_counters')
    .select(['received_on', 'day_first_id', 'last_id'])
    .where('environment_id', '=', environment_id)
    .where('kind', '=', 'impression')
    .where('last_id', '>', 0)
    .executeTakeFirst()
  return found ?? null
}

const upTo = (last_id: number | null): RawBuilder<unknown> =>
  last_id === null ? sql`` : sql`and id <= ${last_id}::bigint`

const COLUMNS = sql`id, flag_key, user_id, value, context, evaluated_at`

function matches({
  environment_id,
  flag_key,
  received_from,
  user_id,
  value,
}: ImpressionFilter): RawBuilder<unknown> {
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const user =
    user_id === undefined
      ? sql``
      : sql`and user_id = ${user_id} and hashtextextended(user_id, 0) = hashtextextended(${user_id}, 0)`
  const of_value = value === undefined ? sql`` : sql`and value = ${value}`
  return sql`environment_id = ${environment_id}::uuid and received_on >= ${received_from}::date ${flag} ${user} ${of_value}`
}

/** By flag, in code unit order. */
export async function listStats(db: Kysely<Database>, environment_id: string): Promise<ImpressionStats[]> {
  const { rows } = await sql<ImpressionStats>`
    select flag_key, sum(impressions)::bigint as total,
      coalesce(sum(impressions) filter (where value = 'true'), 0)::bigint as true_count,
      coalesce(sum(impressions) filter (where value = 'false'), 0)::bigint as false_count,
      flag.unique_users, max(last_seen) as last_seen
    from impression_values join impression_flags flag using (environment_id, flag_key)
    where environment_id = ${environment_id}::uuid
    group by flag_key, flag.unique_users order by flag_key
  `.execute(db)
  return rows
}

export interface FlagPlace {
  readonly environment_id: string
  readonly flag_key: string
}

/** Days from the first to the last: `2026-01-31`. */
export interface DaySpan {
  readonly from: string
  readonly to: string
}

/** The most frequent values of a flag, of equally frequent ones the first by name. */
const MOST_FREQUENT = sql`order by seen.impressions desc, seen.value limit ${sql.lit(LISTED_VALUES_MAX)}`

/** The flag's users and impressions, and its most frequent values in order; nothing for a flag without impressions. */
export async function listValues(db: Kysely<Database>, { environment_id, flag_key }: FlagPlace) {
  const { rows } = await sql<{
    total_users: number
    total_impressions: number
    value: string
    impressions: number
    unique_users: number
  }>`
    select flag.unique_users as total_users, sum(seen.impressions) over ()::bigint as total_impressions,
      seen.value, seen.impressions, seen.unique_users
    from impression_flags flag join impression_values seen using (environment_id, flag_key)
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}
    ${MOST_FREQUENT}
  `.execute(db)
  return rows
}

/** How often the flag gave each of its most frequent values on each day of evaluation, in order. */
export async function listTimeline(
  db: Kysely<Database>,
  { environment_id, flag_key }: FlagPlace,
  { from, to }: DaySpan,
) {
  const { rows } = await sql<{ day: string; value: string; count: number }>`
    with listed as materialized (
      select seen.value_hash, seen.value from impression_values seen
      where seen.environment_id = ${environment_id}::uuid and seen.flag_key = ${flag_key}
      ${MOST_FREQUENT}
    )
    select day, listed.value, counted.count
    from (
      select value_hash, day, sum(impressions)::bigint as count from impression_days
      where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}
        and day between ${from}::date and ${to}::date
        and value_hash in (select value_hash from listed)
      group by value_hash, day
    ) as counted
    join listed using (value_hash)
    order by day, listed.value
  `.execute(db)
  return rows
}

/** How often each flag was evaluated on each day, in order. */
export async function listDays(db: Kysely<Database>, environment_id: string, { from, to }: DaySpan) {
  const { rows } = await sql<{ flag_key: string; day: string; count: number }>`
    select flag_key, day, sum(impressions)::bigint as count from impression_days
    where environment_id = ${environment_id}::uuid and day between ${from}::date and ${to}::date
    group by flag_key, day order by flag_key, day
  `.execute(db)
  return rows
}
