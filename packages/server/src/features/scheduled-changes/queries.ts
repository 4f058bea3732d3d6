import type { ScheduledChange } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'flag_key',
  'scheduled_at',
  'patch',
  'scheduled_by',
  'comment',
  'executed_at',
  'error',
  'created_at',
] as const

export interface NewScheduledChange {
  readonly id: string
  readonly environment_id: string
  readonly flag_key: string
  /** The time, ISO 8601 in UTC. */
  readonly scheduled_at: string
  readonly patch: Readonly<Record<string, JsonValue>>
  readonly scheduled_by: string
  readonly comment: string | null
  readonly change_request_id: number | null
  readonly created_at: string
}

export async function insertScheduledChange(
  tx: Transaction<Database>,
  { patch, ...change }: NewScheduledChange,
): Promise<ScheduledChange> {
  return tx
    .insertInto('scheduled_changes')
    .values({ ...change, patch: JSON.stringify(patch), executed_at: null, error: null, retry_at: null })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export interface ScheduledChangeFilter {
  readonly environment_id: string
  readonly flag_key?: string
  /** Only pending changes that were never approved. */
  readonly unapproved?: boolean
}

/** Pending changes that no change request stands behind. */
const IS_UNAPPROVED = sql<boolean>`executed_at is null and change_request_id is null`

/** The position of a change: its time, and its order among those of the same time. */
export interface ScheduledPlace {
  readonly scheduled_at: string
  readonly position: number
}

/** Lists scheduled changes by time, after the position; of one flag, or of the whole environment. */
export function scheduledChangeList(
  { environment_id, flag_key, unapproved }: ScheduledChangeFilter,
  after: ScheduledPlace | null,
): ListQuery {
  const conditions = [sql`environment_id = ${environment_id}::uuid`]
  if (flag_key !== undefined) conditions.push(sql`flag_key = ${flag_key}`)
  if (unapproved) conditions.push(IS_UNAPPROVED)
  if (after !== null)
    conditions.push(
      sql`(scheduled_at, position) > (${after.scheduled_at}::timestamptz, ${after.position}::bigint)`,
    )
  return {
    rows: sql`
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}, position, bytes from scheduled_changes
      where ${sql.join(conditions, sql` and `)}`,
    orderBy: sql`scheduled_at, position`,
    item: jsonRow(COLUMNS, ['scheduled_at', 'executed_at', 'created_at']),
    place: sql`json_build_array(${utcText(sql`scheduled_at`)}, position)`,
  }
}

export async function scheduledChangeExists(
  db: Kysely<Database>,
  environment_id: string,
  id: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('scheduled_changes')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns pending changes of a requester in all environments by time, the first 500. */
export async function listChangesBy(db: Kysely<Database>, scheduled_by: string): Promise<ScheduledChange[]> {
  return db
    .selectFrom('scheduled_changes')
    .select(COLUMNS)
    .where('scheduled_by', '=', scheduled_by)
    .where('executed_at', 'is', null)
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(CHANGES_OF_A_USER_MAX)
    .execute()
}

const CHANGES_OF_A_USER_MAX = 500

export interface DueChange {
  readonly id: string
  readonly environment_id: string
  readonly flag_key: string
  readonly scheduled_by: string
  readonly comment: string | null
}

/** The selection of due changes. */
export interface DueSelection {
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  readonly limit: number
  /** The number of changes of one environment. */
  readonly perEnvironment: number
  /** The ids of environments that are left out. */
  readonly except: readonly string[]
}

/** Returns due changes that are not executed and do not wait for a retry, the earliest first. */
export async function listDueChanges(
  db: Kysely<Database>,
  { except, limit, now, perEnvironment }: DueSelection,
): Promise<DueChange[]> {
  const due = db
    .selectFrom('scheduled_changes')
    .select(['id', 'environment_id', 'flag_key', 'scheduled_by', 'comment', 'scheduled_at', 'position'])
    .select(
      sql<number>`row_number() over (partition by environment_id order by scheduled_at, position)`.as('turn'),
    )
    .where('executed_at', 'is', null)
    .where('scheduled_at', '<=', now)
    .where(sql<boolean>`environment_id <> all(${except}::uuid[])`)
    .where(sql<boolean>`not ${waitsForRetry(now)}`)
  return db
    .selectFrom(due.as('due'))
    .select(['id', 'environment_id', 'flag_key', 'scheduled_by', 'comment'])
    .where('turn', '<=', perEnvironment)
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(limit)
    .execute()
}

/**
 * Whether the change, or an earlier one of its flag, waits for a retry. Later changes of the flag wait for it:
 * they are written for the flag after it.
 */
const waitsForRetry = (now: string) => sql`exists (
  select from scheduled_changes as held
  where held.environment_id = scheduled_changes.environment_id and held.flag_key = scheduled_changes.flag_key
    and held.executed_at is null and held.retry_at > ${now}::timestamptz
    and (held.scheduled_at, held.position) <= (scheduled_changes.scheduled_at, scheduled_changes.position)
)`

/** Locks a pending change until the transaction ends; undefined when it was executed or does not exist. */
export async function lockPendingChange(
  tx: Transaction<Database>,
  environment_id: string,
  id: string,
): Promise<(ScheduledChange & { change_request_id: number | null }) | undefined> {
  return tx
    .selectFrom('scheduled_changes')
    .select([...COLUMNS, 'change_request_id'])
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .where('executed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks the earliest changes that were never approved until the transaction ends. */
export async function lockUnapproved(
  tx: Transaction<Database>,
  environment_id: string,
  limit: number,
): Promise<ScheduledChange[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where(IS_UNAPPROVED)
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function countUnapproved(tx: Transaction<Database>, environment_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('scheduled_changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('environment_id', '=', environment_id)
    .where(IS_UNAPPROVED)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the identity of the author of a change by its recorded name, with the user behind it: a user, or
 * the only key of this name. Undefined when there is none any more.
 */
export async function findPlanner(
  tx: Transaction<Database>,
  environment_id: string,
  scheduled_by: string,
): Promise<{ identity: string; user_id: number | null } | undefined> {
  const { rows } = await sql<{ identity: string; user_id: number | null }>`
    select 'user:' || id as identity, id as user_id from users where lower(email) = lower(${scheduled_by})
    union all
    select 'sdk_key:' || id, created_by from sdk_keys
    where environment_id = ${environment_id}::uuid and 'sdk-key:' || name = ${scheduled_by}
    limit 2
  `.execute(tx)
  return rows.length === 1 ? rows[0] : undefined
}

/** Locks a due change; undefined when it was executed, does not exist, or waits for a retry. */
export async function lockDueChange(
  tx: Transaction<Database>,
  { environment_id, id, now }: { readonly environment_id: string; readonly id: string; readonly now: string },
): Promise<(ScheduledChange & { change_request_id: number | null }) | undefined> {
  const change = await lockPendingChange(tx, environment_id, id)
  if (!change) return undefined
  const held = await tx
    .selectFrom('scheduled_changes')
    .select('id')
    .where('id', '=', id)
    .where(sql<boolean>`${waitsForRetry(now)}`)
    .executeTakeFirst()
  return held ? undefined : change
}

interface FailedAttempt {
  readonly environment_id: string
  readonly id: string
  readonly error: string
  readonly now: Date
  readonly delayMs: (failedAttempts: number) => number
}

/**
 * Stores that an attempt failed and when the next one is. Returns the number of failed attempts; undefined
 * when the change was executed, was withdrawn, or waits for a retry already.
 */
export async function storeFailedAttempt(
  db: Kysely<Database>,
  { delayMs, environment_id, error, id, now }: FailedAttempt,
): Promise<{ readonly attempts: number; readonly retry_at: string } | undefined> {
  return db.transaction().execute(async (tx) => {
    // The order of locks: the sizes of rows are counted in the row of the environment.
    await sql`select from environments where id = ${environment_id}::uuid for update`.execute(tx)
    const found = await tx
      .selectFrom('scheduled_changes')
      .select('failed_attempts')
      .where('id', '=', id)
      .where('executed_at', 'is', null)
      .where((when) => when.or([when('retry_at', 'is', null), when('retry_at', '<=', now.toISOString())]))
      .forUpdate()
      .executeTakeFirst()
    if (!found) return undefined
    const attempts = found.failed_attempts + 1
    const retry_at = new Date(now.getTime() + delayMs(attempts)).toISOString()
    const failed = { failed_attempts: attempts, retry_at, error }
    await tx.updateTable('scheduled_changes').set(failed).where('id', '=', id).execute()
    return { attempts, retry_at }
  })
}

export async function markExecuted(
  tx: Transaction<Database>,
  id: string,
  { error, executed_at }: { readonly executed_at: string; readonly error: string | null },
): Promise<void> {
  await tx.updateTable('scheduled_changes').set({ executed_at, error }).where('id', '=', id).execute()
}

export async function removeScheduledChange(tx: Transaction<Database>, id: string): Promise<void> {
  await tx.deleteFrom('scheduled_changes').where('id', '=', id).execute()
}

export async function removePendingChanges(
  tx: Transaction<Database>,
  environment_id: string,
  flag_key: string,
): Promise<void> {
  await tx
    .deleteFrom('scheduled_changes')
    .where('environment_id', '=', environment_id)
    .where('flag_key', '=', flag_key)
    .where('executed_at', 'is', null)
    .execute()
}

/** Returns the patches of pending changes that may name the segment. */
export async function listPendingNaming(
  tx: Transaction<Database>,
  environment_id: string,
  segment_key: string,
): Promise<{ id: string; patch: Record<string, JsonValue> }[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(['id', 'patch'])
    .where('environment_id', '=', environment_id)
    .where('executed_at', 'is', null)
    .where(sql<boolean>`strpos(patch::text, ${segment_key}) > 0`)
    .forUpdate()
    .execute()
}

export async function updatePatch(tx: Transaction<Database>, id: string, patch: JsonValue): Promise<void> {
  await tx
    .updateTable('scheduled_changes')
    .set({ patch: JSON.stringify(patch) })
    .where('id', '=', id)
    .execute()
}

/** Returns the pending changes that name segments, by flag. */
export async function listPendingPatches(
  tx: Kysely<Database>,
  environment_id: string,
): Promise<{ flag_key: string; patch: Record<string, JsonValue> }[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(['flag_key', 'patch'])
    .where('environment_id', '=', environment_id)
    .where('executed_at', 'is', null)
    .where(sql<boolean>`strpos(patch::text, '"segment_key"') > 0`)
    .execute()
}

/** Counts due changes that were not executed, up to `limit`. */
export async function countDueChanges(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from scheduled_changes where executed_at is null and scheduled_at <= now() limit ${limit}::int
    ) as some_changes
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
