import { sql, type Transaction } from 'kysely'
import { byteaArray, textArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { GoalCounts } from './count-goal-events.ts'

/** An event key of an environment. */
export interface ReportedGoal {
  readonly environment_id: string
  readonly event_key: string
}

/**
 * Deletes the events of a key up to the last drawn id: its users count only with a later id from now on.
 * Returns the number of events; null when it had none.
 */
export async function markGoalDeleted(
  tx: Transaction<Database>,
  { deleted_to, environment_id, event_key }: ReportedGoal & { readonly deleted_to: number },
): Promise<number | null> {
  const { rows } = await sql<{ total: number }>`
    with before as (
      select total from goals where environment_id = ${environment_id}::uuid and event_key = ${event_key}::text
    )
    update goals set deleted_to = ${deleted_to}::bigint, total = 0, unique_users = 0, version = version + 1,
      last_seen = '-infinity'
    from before where environment_id = ${environment_id}::uuid and event_key = ${event_key}::text
    returning before.total
  `.execute(tx)
  return rows[0]?.total ?? null
}

/**
 * Removes what is left of users of deleted events, for the users of a batch that is about to be stored.
 * Otherwise the batch would add to rows that belong to the deletion.
 */
export async function removeDeletedRollups(
  tx: Transaction<Database>,
  environment_id: string,
  { users }: GoalCounts,
): Promise<void> {
  await sql`
    delete from goal_users u using goals g, unnest(
      ${textArray(users.map(({ event_key }) => event_key))}::text[],
      ${byteaArray(users.map(({ user_hash }) => user_hash))}::bytea[]
    ) as reached (event_key, user_hash)
    where g.environment_id = ${environment_id}::uuid and g.event_key = reached.event_key and g.deleted_to >= 0
      and u.environment_id = g.environment_id and u.event_key = g.event_key
      and u.user_hash = reached.user_hash and u.first_id <= g.deleted_to
  `.execute(tx)
}

/** Removes at most `limit` users of deleted events of the key. False when there were none. */
export async function removeGoalRollups(
  tx: Transaction<Database>,
  { environment_id, event_key, limit }: ReportedGoal & { readonly limit: number },
): Promise<boolean> {
  const removed = await sql`
    delete from goal_users where ctid = any(array(
      select u.ctid from goal_users u join goals g using (environment_id, event_key)
      where environment_id = ${environment_id}::uuid and event_key = ${event_key}::text and u.first_id <= g.deleted_to
      limit ${limit}::int))
  `.execute(tx)
  return (removed.numAffectedRows ?? 0n) > 0n
}

/** Ids above the first and up to the second. */
interface IdRange {
  readonly afterId: number
  readonly to_id: number
}

/** Removes the events of the key in the range. */
export async function removeGoalEvents(
  tx: Transaction<Database>,
  { afterId, environment_id, event_key, to_id }: ReportedGoal & IdRange,
): Promise<void> {
  await sql`
    delete from goal_events
    where environment_id = ${environment_id}::uuid and id > ${afterId}::bigint and id <= ${to_id}::bigint
      and event_key = ${event_key}::text
  `.execute(tx)
}

interface ReportedUser {
  readonly environment_id: string
  readonly user_id: string
}

/** Removes the events of the user in the range, and subtracts them from the totals. Returns their number. */
export async function removeUserGoalEvents(
  tx: Transaction<Database>,
  { afterId, environment_id, to_id, user_id }: ReportedUser & IdRange,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from goal_events
      where environment_id = ${environment_id}::uuid and id > ${afterId}::bigint and id <= ${to_id}::bigint
        and user_id = ${user_id}::text
      returning id, event_key
    ), of_goals as (
      update goals g set total = g.total - counted.total
      from (
        select gone.event_key, count(*) as total from gone
        join goals of_key on of_key.environment_id = ${environment_id}::uuid and of_key.event_key = gone.event_key
        where gone.id > of_key.deleted_to group by gone.event_key
      ) as counted
      where g.environment_id = ${environment_id}::uuid and g.event_key = counted.event_key
    )
    select count(*) as removed from gone
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

/**
 * Removes the user from the users of every key; events after `to_id` remain theirs. Call it when the others
 * are removed.
 */
export async function forgetGoalUser(
  tx: Transaction<Database>,
  {
    environment_id,
    to_id,
    user_hash,
    user_id,
  }: ReportedUser & { readonly to_id: number; readonly user_hash: Buffer },
): Promise<void> {
  await sql`
    with kept as materialized (
      select e.event_key, min(e.occurred_at) as first_at, max(e.occurred_at) as last_at, min(e.id) as first_id
      from goal_events e join goals g on g.environment_id = e.environment_id and g.event_key = e.event_key
      where e.environment_id = ${environment_id}::uuid and e.id > ${to_id}::bigint
        and e.user_id = ${user_id}::text and e.id > g.deleted_to
      group by e.event_key
    ), moved as (
      update goal_users u set first_at = kept.first_at, last_at = kept.last_at, first_id = kept.first_id from kept
      where u.environment_id = ${environment_id}::uuid and u.event_key = kept.event_key
        and u.user_hash = ${user_hash}::bytea
    ), gone as (
      delete from goal_users u using goals g
      where g.environment_id = ${environment_id}::uuid and u.environment_id = g.environment_id
        and u.event_key = g.event_key and u.user_hash = ${user_hash}::bytea
        and not exists (select from kept where kept.event_key = u.event_key)
      returning u.event_key, u.first_id > g.deleted_to as was_counted
    )
    update goals g set version = g.version + 1, unique_users = g.unique_users - touched.users
    from (select event_key, 1 as users from gone where was_counted union all select event_key, 0 from kept) as touched
    where g.environment_id = ${environment_id}::uuid and g.event_key = touched.event_key
  `.execute(tx)
}

/** Removes the totals of keys that have no events left. */
export async function removeEmptyGoals(tx: Transaction<Database>, environment_id: string): Promise<void> {
  await sql`
    delete from goals g where environment_id = ${environment_id}::uuid and total <= 0
      and not exists (
        select from report_deletions d
        where d.environment_id = g.environment_id and d.subject = 'event' and d.name = g.event_key)
  `.execute(tx)
}
