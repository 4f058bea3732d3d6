import { sql, type Transaction } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import {
  byteaArray,
  dateArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
} from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { DrawnIds } from '../ingest/id-queries.ts'
import type { ImpressionCounts } from './count-impressions.ts'
import type { CleanImpression } from './impression-batch.ts'

/**
 * Stores impressions under the drawn ids, with their rollup rows, in one statement. The transaction that has
 * drawn ids of an environment is the only writer of its rollups, so what the statement reads stays true until
 * the commit.
 *
 * - `target`: the environment with its first id and day of arrival, joined by all others
 * - `stored`: the rows themselves
 * - `exposures`: users of this batch by flag and value, each beside what is stored of them
 * - `added`, `updated_first`: users whom the flag had not given the value yet, and earlier first exposures
 * - `counted_values`, `counted_flags`: totals and unique users; the last statement has the days
 */
export async function insertImpressions(
  tx: Transaction<Database>,
  { drawn, environment_id }: { readonly environment_id: string; readonly drawn: DrawnIds },
  impressions: readonly CleanImpression[],
  { days, flags, users, values }: ImpressionCounts,
): Promise<void> {
  const { first_id, received_on } = drawn
  // The counter of the environment is locked: only texts of megabytes, which the driver copies, share turns.
  const pause = isLarge(impressions) ? shareTurn : null
  await pause?.()
  const contexts = textArray(impressions.map(({ context }) => context))
  await pause?.()
  const served = textArray(impressions.map(({ value }) => value))
  await pause?.()
  const distinct = textArray(values.map(({ value }) => value))
  await pause?.()
  await sql`
    with target as (
      select ${environment_id}::uuid as environment_id, ${first_id}::bigint as first_id, ${received_on}::date as received_on
    ), stored as (
      insert into impressions (id, environment_id, flag_key, user_id, value, context, evaluated_at, received_on)
      select target.first_id + n - 1, environment_id, flag_key, user_id, value, context::json, evaluated_at, received_on
      from target, unnest(
        ${textArray(impressions.map(({ flag_key }) => flag_key))}::text[],
        ${textArray(impressions.map(({ user_id }) => user_id))}::text[],
        ${served}::text[],
        ${contexts}::text[],
        ${timestamptzArray(impressions.map(({ evaluated_at }) => evaluated_at))}::timestamptz[]
      ) with ordinality as row (flag_key, user_id, value, context, evaluated_at, n)
    ), exposures as materialized (
      select exposure.*, known.*
      from target, unnest(
        ${textArray(users.map(({ flag_key }) => flag_key))}::text[],
        ${byteaArray(users.map(({ user_hash }) => user_hash))}::bytea[],
        ${byteaArray(users.map(({ value_hash }) => value_hash))}::bytea[],
        ${timestamptzArray(users.map(({ first_at }) => first_at))}::timestamptz[],
        ${int8Array(users.map(({ index }) => first_id + index))}::bigint[]
      ) as exposure (flag_key, user_hash, value_hash, first_at, first_id),
      lateral (
        select count(*) > 0 as flag_is_known,
          max(u.first_at) filter (where u.value_hash = exposure.value_hash) as known_at,
          max(u.first_id) filter (where u.value_hash = exposure.value_hash) as known_id
        from impression_users u
        where u.environment_id = target.environment_id and u.flag_key = exposure.flag_key and u.user_hash = exposure.user_hash
      ) as known
    ), added as (
      insert into impression_users (environment_id, flag_key, user_hash, value_hash, first_at, first_id)
      select environment_id, flag_key, user_hash, value_hash, first_at, exposures.first_id
      from target, exposures where known_at is null
    ), updated_first as (
      update impression_users u set first_at = exposures.first_at, first_id = exposures.first_id
      from target, exposures
      where u.environment_id = target.environment_id and u.flag_key = exposures.flag_key
        and u.user_hash = exposures.user_hash and u.value_hash = exposures.value_hash
        and (exposures.first_at, exposures.first_id) < (known_at, known_id)
    ), counted_values as (
      insert into impression_values as known
        (environment_id, flag_key, value_hash, value, impressions, unique_users, last_seen, last_id)
      select environment_id, flag_key, value_hash, value, impressions, coalesce(new_users.count, 0), last_seen, last_id
      from target, unnest(
        ${textArray(values.map(({ flag_key }) => flag_key))}::text[],
        ${byteaArray(values.map(({ value_hash }) => value_hash))}::bytea[],
        ${distinct}::text[],
        ${int4Array(values.map(({ impressions }) => impressions))}::int[],
        ${timestamptzArray(values.map(({ last_seen }) => last_seen))}::timestamptz[],
        ${int8Array(values.map(({ lastIndex }) => first_id + lastIndex))}::bigint[]
      ) as counted (flag_key, value_hash, value, impressions, last_seen, last_id)
      left join (
        select flag_key, value_hash, count(*) from exposures where known_at is null group by flag_key, value_hash
      ) as new_users using (flag_key, value_hash)
      on conflict (environment_id, flag_key, value_hash) do update set
        impressions = known.impressions + excluded.impressions,
        unique_users = known.unique_users + excluded.unique_users,
        last_seen = greatest(known.last_seen, excluded.last_seen),
        last_id = excluded.last_id
    ), counted_flags as (
      insert into impression_flags as known (environment_id, flag_key, unique_users, version)
      select environment_id, flag_key, coalesce(new_users.count, 0), target.first_id
      from target, unnest(${textArray(flags)}::text[]) as counted (flag_key)
      left join (
        select flag_key, count(distinct user_hash) from exposures where not flag_is_known group by flag_key
      ) as new_users using (flag_key)
      on conflict (environment_id, flag_key) do update set
        unique_users = known.unique_users + excluded.unique_users, version = known.version + 1
    )
    insert into impression_days as known
      (environment_id, flag_key, value_hash, day, received_on, impressions, last_id)
    select environment_id, flag_key, value_hash, day, received_on, impressions, target.first_id
    from target, unnest(
      ${textArray(days.map(({ flag_key }) => flag_key))}::text[],
      ${byteaArray(days.map(({ value_hash }) => value_hash))}::bytea[],
      ${dateArray(days.map(({ day }) => day))}::date[],
      ${int4Array(days.map(({ impressions }) => impressions))}::int[]
    ) as counted (flag_key, value_hash, day, impressions)
    on conflict (environment_id, flag_key, value_hash, day, received_on) do update set
      impressions = known.impressions + excluded.impressions, last_id = excluded.last_id
  `.execute(tx)
}

const LARGE_CHARS = 512 * 1024

const isLarge = (impressions: readonly CleanImpression[]): boolean =>
  impressions.reduce((sum, { context, value }) => sum + (context?.length ?? 0) + value.length, 0) >
  LARGE_CHARS
