import { type GoalEventSummary, OTHER_NAME, REPORTED_NAMES_MAX } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import {
  byteaArray,
  float8Array,
  int4Array,
  textArray,
  timestamptzArray,
} from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { DrawnIds } from '../ingest/id-queries.ts'
import type { GoalCounts } from './count-goal-events.ts'
import type { CleanGoalEvent } from './goal-event-batch.ts'

/**
 * Stores goal events under the drawn ids, with their rollup rows, in one statement. As for impressions, no
 * other transaction writes them.
 *
 * - `target`, `stored`: as for impressions
 * - `conversions`: users of this batch by event, each beside the times that are stored of them
 * - `added`, `updated_times`: users whom the event did not have yet, and earlier first or later last times
 */
export async function insertGoalEvents(
  tx: Transaction<Database>,
  { drawn, environment_id }: { readonly environment_id: string; readonly drawn: DrawnIds },
  events: readonly CleanGoalEvent[],
  { goals, users }: GoalCounts,
): Promise<void> {
  const { first_id, received_on } = drawn
  await sql`
    with target as (
      select ${environment_id}::uuid as environment_id, ${first_id}::bigint as first_id, ${received_on}::date as received_on
    ), stored as (
      insert into goal_events (id, environment_id, event_key, user_id, value, context, occurred_at, received_on)
      select target.first_id + n - 1, environment_id, event_key, user_id, value, context::json, occurred_at, received_on
      from target, unnest(
        ${textArray(events.map(({ event_key }) => event_key))}::text[],
        ${textArray(events.map(({ user_id }) => user_id))}::text[],
        ${float8Array(events.map(({ value }) => value))}::float8[],
        ${textArray(events.map(({ context }) => context))}::text[],
        ${timestamptzArray(events.map(({ occurred_at }) => occurred_at))}::timestamptz[]
      ) with ordinality as row (event_key, user_id, value, context, occurred_at, n)
    ), conversions as materialized (
      select conversion.*, known.first_at as known_first_at, known.last_at as known_last_at
      from target cross join unnest(
        ${textArray(users.map(({ event_key }) => event_key))}::text[],
        ${byteaArray(users.map(({ user_hash }) => user_hash))}::bytea[],
        ${timestamptzArray(users.map(({ first_at }) => first_at))}::timestamptz[],
        ${timestamptzArray(users.map(({ last_at }) => last_at))}::timestamptz[]
      ) as conversion (event_key, user_hash, first_at, last_at)
      left join goal_users known on known.environment_id = target.environment_id
        and known.event_key = conversion.event_key and known.user_hash = conversion.user_hash
    ), added as (
      insert into goal_users (environment_id, event_key, user_hash, first_at, last_at, first_id)
      select environment_id, event_key, user_hash, first_at, last_at, target.first_id from target, conversions where known_first_at is null
    ), updated_times as (
      update goal_users u set
        first_at = least(u.first_at, conversions.first_at), last_at = greatest(u.last_at, conversions.last_at)
      from target, conversions
      where u.environment_id = target.environment_id and u.event_key = conversions.event_key
        and u.user_hash = conversions.user_hash
        and (conversions.first_at < known_first_at or conversions.last_at > known_last_at)
    )
    insert into goals as known (environment_id, event_key, total, unique_users, last_seen, version)
    select environment_id, event_key, total, coalesce(new_users.count, 0), last_seen, target.first_id
    from target, unnest(
      ${textArray(goals.map(({ event_key }) => event_key))}::text[],
      ${int4Array(goals.map(({ total }) => total))}::int[],
      ${timestamptzArray(goals.map(({ last_seen }) => last_seen))}::timestamptz[]
    ) as counted (event_key, total, last_seen)
    left join (
      select event_key, count(*) from conversions where known_first_at is null group by event_key
    ) as new_users using (event_key)
    on conflict (environment_id, event_key) do update set
      total = known.total + excluded.total,
      unique_users = known.unique_users + excluded.unique_users,
      last_seen = greatest(known.last_seen, excluded.last_seen),
      version = known.version + 1
  `.execute(tx)
}

/** Returns those of the keys that were reported before, or that an experiment names. */
export async function findKnownEventKeys(
  tx: Transaction<Database>,
  environment_id: string,
  eventKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ event_key: string }>`
    select event_key from unnest(${textArray(eventKeys)}::text[]) as reported (event_key)
    where exists (
        select from goals g where g.environment_id = ${environment_id}::uuid and g.event_key = reported.event_key)
      or event_key in (
        select goal_event_key from experiments where environment_id = ${environment_id}::uuid)
  `.execute(tx)
  return new Set(rows.map(({ event_key }) => event_key))
}

/**
 * Lists goals by key, in code unit order: those of experiments, the most frequent others, and the sum of the
 * rest.
 */
export async function listGoals(db: Kysely<Database>, environment_id: string): Promise<GoalEventSummary[]> {
  const { rows } = await sql<GoalEventSummary>`
    with counted as (
      select event_key, total, unique_users, last_seen, event_key in (
          select goal_event_key from experiments where environment_id = ${environment_id}::uuid) as is_named
      from goals where environment_id = ${environment_id}::uuid and total > 0
    ), listed as (
      select *, is_named or row_number() over (partition by is_named order by total desc, event_key)
        <= ${REPORTED_NAMES_MAX}::int as is_listed
      from counted
    )
    select case when is_listed then event_key else ${OTHER_NAME} end collate "C" as event_key,
      sum(total)::bigint as total, sum(unique_users)::bigint as unique_users, max(last_seen) as last_seen
    from listed group by 1 order by 1
  `.execute(db)
  return rows
}
