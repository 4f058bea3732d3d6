import type { Impression, ImpressionStats } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
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

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Those that match, newest first; `day` where they all arrived on it. */
export async function listNewest(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  { day, limit, offset }: Page & { readonly day: string | null },
): Promise<Impression[]> {
  const on_day = day === null ? sql`` : sql`and received_on = ${day}::date`
  const { rows } = await sql<Impression>`
    select ${COLUMNS} from impressions where ${matches(filter)} ${on_day}
    order by id desc limit ${limit}::int offset ${offset}::bigint
  `.execute(db)
  return rows
}

/** Those that match with a greater id, in the order of ids. */
export async function listAfter(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  { limit, since_id }: { readonly since_id: number; readonly limit: number },
): Promise<Impression[]> {
  const { rows } = await sql<Impression>`
    select ${COLUMNS} from impressions where ${matches(filter)} and id > ${since_id}::bigint
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

/** The flag's users, and its values, the most frequent first; nothing for a flag without impressions. */
export async function listValues(db: Kysely<Database>, { environment_id, flag_key }: FlagPlace) {
  const { rows } = await sql<{
    total_users: number
    value: string
    impressions: number
    unique_users: number
  }>`
    select flag.unique_users as total_users, seen.value, seen.impressions, seen.unique_users
    from impression_flags flag join impression_values seen using (environment_id, flag_key)
    where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}
    order by seen.impressions desc, seen.value
  `.execute(db)
  return rows
}

/** What the flag gave on each day of evaluation, in order. */
export async function listTimeline(
  db: Kysely<Database>,
  { environment_id, flag_key }: FlagPlace,
  { from, to }: DaySpan,
) {
  const { rows } = await sql<{ day: string; value: string; count: number }>`
    select day, seen.value, counted.count
    from (
      select value_hash, day, sum(impressions)::bigint as count from impression_days
      where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}
        and day between ${from}::date and ${to}::date
      group by value_hash, day
    ) as counted
    join impression_values seen on seen.environment_id = ${environment_id}::uuid and seen.flag_key = ${flag_key}
      and seen.value_hash = counted.value_hash
    order by day, seen.value
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
