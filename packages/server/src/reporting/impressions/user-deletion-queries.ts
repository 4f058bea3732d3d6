import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A user of an environment whose impressions up to the id are deleted. */
export interface ReportedUser {
  readonly environment_id: string
  readonly user_id: string
  readonly user_hash: Buffer
  readonly to_id: number
}

const VALUE_HASH = sql`substr(sha256(convert_to(value, 'UTF8')), 1, 16)`

/**
 * Removes at most `limit` impressions of the user, and subtracts them from the counts of values and days.
 * Returns their number. Older impressions without single rows cannot be attributed to a user any more and
 * stay in the counts.
 */
export async function removeUserImpressions(
  tx: Transaction<Database>,
  { environment_id, limit, to_id, user_id }: ReportedUser & { readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from impressions
      where environment_id = ${environment_id}::uuid and id = any(array(
        select id from impressions
        where environment_id = ${environment_id}::uuid and user_id = ${user_id}::text and id <= ${to_id}::bigint
          and hashtextextended(user_id, 0) = hashtextextended(${user_id}::text, 0)
        limit ${limit}::int))
      returning id, flag_key, value, (evaluated_at at time zone 'UTC')::date as day, received_on
    ), counted as materialized (
      select gone.flag_key, ${VALUE_HASH} as value_hash, day, received_on, count(*) as impressions
      from gone join impression_flags f on f.environment_id = ${environment_id}::uuid and f.flag_key = gone.flag_key
      where gone.id > f.deleted_to
      group by gone.flag_key, value_hash, day, received_on
    ), of_days as (
      update impression_days d set impressions = d.impressions - counted.impressions from counted
      where d.environment_id = ${environment_id}::uuid and d.flag_key = counted.flag_key
        and d.value_hash = counted.value_hash and d.day = counted.day and d.received_on = counted.received_on
    ), of_values as (
      update impression_values v set impressions = v.impressions - by_value.impressions
      from (select flag_key, value_hash, sum(impressions) as impressions from counted group by 1, 2) as by_value
      where v.environment_id = ${environment_id}::uuid and v.flag_key = by_value.flag_key
        and v.value_hash = by_value.value_hash
    )
    select count(*) as removed from gone
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

/**
 * Removes the user from the users of every value and flag; a report after the deletion is their first from
 * now on. Call it when their deleted impressions are removed. Values without other users disappear.
 */
export async function forgetUser(
  tx: Transaction<Database>,
  { environment_id, user_hash, user_id }: ReportedUser,
): Promise<void> {
  await sql`
    with kept as materialized (
      select distinct on (i.flag_key, value_hash) i.flag_key, ${VALUE_HASH} as value_hash,
        -- Those that are kept arrived since the deletion was asked for: now is when, where their time lies ahead.
        least(i.evaluated_at, now()) as exposed_at, i.id
      from impressions i
      join impression_flags f on f.environment_id = i.environment_id and f.flag_key = i.flag_key
      where i.environment_id = ${environment_id}::uuid and i.user_id = ${user_id}::text
        and hashtextextended(i.user_id, 0) = hashtextextended(${user_id}::text, 0) and i.id > f.deleted_to
      order by i.flag_key, value_hash, exposed_at, i.id
    ), moved as (
      update impression_users u set first_at = kept.exposed_at, first_id = kept.id from kept
      where u.environment_id = ${environment_id}::uuid and u.flag_key = kept.flag_key
        and u.user_hash = ${user_hash}::bytea and u.value_hash = kept.value_hash
    ), gone as (
      delete from impression_users u using impression_flags f
      where f.environment_id = ${environment_id}::uuid and u.environment_id = f.environment_id
        and u.flag_key = f.flag_key and u.user_hash = ${user_hash}::bytea
        and not exists (
          select from kept where kept.flag_key = u.flag_key and kept.value_hash = u.value_hash)
      returning u.flag_key, u.value_hash, u.first_id > f.deleted_to as was_counted
    ), of_values as (
      update impression_values v set unique_users = v.unique_users - 1 from gone
      where was_counted and v.environment_id = ${environment_id}::uuid and v.flag_key = gone.flag_key
        and v.value_hash = gone.value_hash
    )
    update impression_flags f set
      version = f.version + 1,
      unique_users = f.unique_users - case when touched.is_gone then 1 else 0 end
    from (
      select flag_key, not exists (select from kept where kept.flag_key = seen.flag_key) as is_gone
      from (select distinct flag_key from gone where was_counted union select flag_key from kept) as seen
    ) as touched
    where f.environment_id = ${environment_id}::uuid and f.flag_key = touched.flag_key
  `.execute(tx)
  for (const table of ['impression_days', 'impression_values']) {
    await sql`
      delete from ${sql.table(table)} where environment_id = ${environment_id}::uuid and impressions <= 0
    `.execute(tx)
  }
}
