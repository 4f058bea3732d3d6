import { sql, type Transaction } from 'kysely'
import { byteaArray, textArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { ImpressionCounts } from './count-impressions.ts'

/** A flag key of an environment. */
export interface ReportedFlag {
  readonly environment_id: string
  readonly flag_key: string
}

/**
 * Deletes the impressions of a flag up to the last drawn id: its rollup rows count only with a later id from
 * now on. Returns the number of impressions; null when it had none.
 */
export async function markFlagDeleted(
  tx: Transaction<Database>,
  { deleted_to, environment_id, flag_key }: ReportedFlag & { readonly deleted_to: number },
): Promise<number | null> {
  const { rows } = await sql<{ impressions: number }>`
    with counted as (
      select coalesce(sum(v.impressions), 0)::bigint as impressions
      from impression_values v join impression_flags f using (environment_id, flag_key)
      where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text and v.last_id > f.deleted_to
    )
    update impression_flags set deleted_to = ${deleted_to}::bigint, unique_users = 0, version = version + 1
    from counted where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text
    returning counted.impressions
  `.execute(tx)
  return rows[0]?.impressions ?? null
}

/** Removes the rollup rows of deleted impressions to which the impressions that will be stored would add. */
export async function removeDeletedRollups(
  tx: Transaction<Database>,
  environment_id: string,
  { flags, users, values }: ImpressionCounts,
): Promise<void> {
  const deleted = sql`
    deleted as materialized (
      select flag_key, deleted_to from impression_flags
      where environment_id = ${environment_id}::uuid and deleted_to >= 0 and flag_key = any(${textArray(flags)}::text[])
    )`
  const counted = sql`unnest(
    ${textArray(values.map(({ flag_key }) => flag_key))}::text[],
    ${byteaArray(values.map(({ value_hash }) => value_hash))}::bytea[]
  ) as counted (flag_key, value_hash)`
  await sql`
    with ${deleted}, of_values as (
      delete from impression_values v using deleted join ${counted} using (flag_key)
      where v.environment_id = ${environment_id}::uuid and v.flag_key = counted.flag_key
        and v.value_hash = counted.value_hash and v.last_id <= deleted_to
    ), of_days as (
      delete from impression_days d using deleted join ${counted} using (flag_key)
      where d.environment_id = ${environment_id}::uuid and d.flag_key = counted.flag_key
        and d.value_hash = counted.value_hash and d.last_id <= deleted_to
    )
    delete from impression_users u using deleted join (
      select distinct flag_key, user_hash from unnest(
        ${textArray(users.map(({ flag_key }) => flag_key))}::text[],
        ${byteaArray(users.map(({ user_hash }) => user_hash))}::bytea[]
      ) as sight (flag_key, user_hash)
    ) as sight using (flag_key)
    where u.environment_id = ${environment_id}::uuid and u.flag_key = sight.flag_key
      and u.user_hash = sight.user_hash and u.first_id <= deleted_to
  `.execute(tx)
}

const ROLLUPS = [
  { table: 'impression_values', id: 'last_id' },
  { table: 'impression_days', id: 'last_id' },
  { table: 'impression_users', id: 'first_id' },
] as const

/** Removes at most `limit` rollup rows of deleted impressions of the flag. False when there were none. */
export async function removeFlagRollups(
  tx: Transaction<Database>,
  { environment_id, flag_key, limit }: ReportedFlag & { readonly limit: number },
): Promise<boolean> {
  for (const { id, table } of ROLLUPS) {
    const removed = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select rollup.ctid from ${sql.table(table)} as rollup join impression_flags f using (environment_id, flag_key)
        where environment_id = ${environment_id}::uuid and flag_key = ${flag_key}::text
          and rollup.${sql.ref(id)} <= f.deleted_to
        limit ${limit}::int))
    `.execute(tx)
    if (removed.numAffectedRows) return true
  }
  return false
}

/** Removes the impressions of the flag with ids above the first and up to the second. */
export async function removeFlagImpressions(
  tx: Transaction<Database>,
  {
    afterId,
    environment_id,
    flag_key,
    to_id,
  }: ReportedFlag & { readonly afterId: number; readonly to_id: number },
): Promise<void> {
  await sql`
    delete from impressions
    where environment_id = ${environment_id}::uuid and id > ${afterId}::bigint and id <= ${to_id}::bigint
      and flag_key = ${flag_key}::text
  `.execute(tx)
}

/** Removes the totals of flag keys that have no impressions left. */
export async function removeEmptyFlags(tx: Transaction<Database>, environment_id: string): Promise<void> {
  await sql`
    delete from impression_flags f
    where environment_id = ${environment_id}::uuid
      and not exists (
        select from impression_values v where v.environment_id = f.environment_id and v.flag_key = f.flag_key)
      and not exists (
        select from report_deletions d
        where d.environment_id = f.environment_id and d.subject = 'flag' and d.name = f.flag_key)
  `.execute(tx)
}
