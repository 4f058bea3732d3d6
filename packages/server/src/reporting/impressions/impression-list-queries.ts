import type { Impression } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { reportHash } from '../../platform/crypto/report-hash.ts'
import { int8Array, textArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'

/** The exact filters of a list. */
export interface ImpressionFilter {
  readonly environment_id: string
  /** The first day that is still kept: `2026-01-31`. */
  readonly receivedFrom: string
  readonly flag_key?: string | undefined
  readonly user_id?: string | undefined
  readonly value?: string | undefined
  /** Flags whose impressions up to an id are being deleted. */
  readonly deleted?: readonly DeletedFlag[]
}

interface DeletedFlag {
  readonly flag_key: string
  readonly to_id: number
}

/** Returns the flags of the environment whose impressions are not removed yet; usually none. */
export async function listDeletedFlags(db: Kysely<Database>, environment_id: string): Promise<DeletedFlag[]> {
  const { rows } = await sql<DeletedFlag>`
    select name as flag_key, impressions_to as to_id from report_deletions
    where environment_id = ${environment_id}::uuid and subject = 'flag' and impressions_to is not null
  `.execute(db)
  return rows
}

export interface DayTotal {
  readonly received_on: string
  readonly impressions: number
}

/** Counts matching impressions by day of arrival, latest first, for all users. It reads the rollup. */
export async function countByArrival(
  db: Kysely<Database>,
  { environment_id, flag_key, receivedFrom, value }: Omit<ImpressionFilter, 'user_id'>,
): Promise<DayTotal[]> {
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const ofValue = value === undefined ? sql`` : sql`and value_hash = ${reportHash(value)}`
  const { rows } = await sql<DayTotal>`
    select received_on, sum(impressions)::bigint as impressions
    from impression_days days join impression_flags using (environment_id, flag_key)
    where days.last_id > deleted_to and environment_id = ${environment_id}::uuid and received_on >= ${receivedFrom}::date ${flag} ${ofValue}
    group by received_on order by received_on desc
  `.execute(db)
  return rows
}

/** Counts matching single impressions. */
export async function countMatching(db: Kysely<Database>, filter: ImpressionFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from impressions where ${matches(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Returns the last impression of the filter's flag and value, for all users: when matches are rare and old,
 * nothing after it has to be searched. Null without flag and value. It reads the rollup.
 */
export async function findLastId(
  db: Kysely<Database>,
  { environment_id, flag_key, value }: ImpressionFilter,
): Promise<number | null> {
  if (flag_key === undefined && value === undefined) return null
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const ofValue = value === undefined ? sql`` : sql`and value_hash = ${reportHash(value)}`
  const { rows } = await sql<{ last_id: number }>`
    select coalesce(max(last_id), 0) as last_id
    from impression_values join impression_flags using (environment_id, flag_key)
    where last_id > deleted_to and environment_id = ${environment_id}::uuid ${flag} ${ofValue}
  `.execute(db)
  return rows[0]?.last_id ?? 0
}

interface Page {
  readonly limit: number
  /** The greatest id that can match; null when unknown. */
  readonly last_id: number | null
}

/** Returns matching impressions, newest first; `day` when all of them arrived on it. */
export async function listNewest(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  { day, last_id, limit, offset }: Page & { readonly day: string | null; readonly offset: number },
): Promise<Impression[]> {
  const onDay = day === null ? sql`` : sql`and received_on = ${day}::date`
  const { rows } = await sql<Impression>`
    select ${COLUMNS} from impressions where ${matches(filter)} ${onDay} ${upTo(last_id)}
    order by id desc limit ${limit}::int offset ${offset}::bigint
  `.execute(db)
  return rows
}

/** Returns matching impressions with a greater id, in the order of ids. */
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

/** Returns the latest day of arrival, its first id and the last id of all; null when there are none. */
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
  deleted = [],
  environment_id,
  flag_key,
  receivedFrom,
  user_id,
  value,
}: ImpressionFilter): RawBuilder<unknown> {
  const flag = flag_key === undefined ? sql`` : sql`and flag_key = ${flag_key}`
  const user =
    user_id === undefined
      ? sql``
      : sql`and user_id = ${user_id} and hashtextextended(user_id, 0) = hashtextextended(${user_id}, 0)`
  const ofValue = value === undefined ? sql`` : sql`and value = ${value}`
  return sql`environment_id = ${environment_id}::uuid and received_on >= ${receivedFrom}::date ${flag} ${user} ${ofValue} ${isKept(deleted)}`
}

const isKept = (deleted: readonly DeletedFlag[]): RawBuilder<unknown> =>
  deleted.length === 0
    ? sql``
    : sql`and not exists (
        select from unnest(
          ${textArray(deleted.map(({ flag_key }) => flag_key))}::text[],
          ${int8Array(deleted.map(({ to_id }) => to_id))}::bigint[]
        ) as deleted (key, to_id)
        where deleted.key = flag_key and id <= deleted.to_id)`
