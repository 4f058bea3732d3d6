import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { lockPendingChange, type StoredScheduledChange } from './queries.ts'

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
 * A condition on changes: the change, or an earlier one of its flag, waits for a retry. Later changes of the
 * flag wait for it: they are written for the flag after it.
 */
const waitsForRetry = (now: string) => sql`exists (
  select from scheduled_changes as held
  where held.environment_id = scheduled_changes.environment_id and held.flag_key = scheduled_changes.flag_key
    and held.executed_at is null and held.retry_at > ${now}::timestamptz
    and (held.scheduled_at, held.position) <= (scheduled_changes.scheduled_at, scheduled_changes.position)
)`

/** Locks a due change; undefined when it was executed, does not exist, or waits for a retry. */
export async function lockDueChange(
  tx: Transaction<Database>,
  { environment_id, id, now }: { readonly environment_id: string; readonly id: string; readonly now: string },
): Promise<(StoredScheduledChange & { change_request_id: number | null }) | undefined> {
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

/** Counts due changes that were not executed, up to `limit`. */
export async function countDueChanges(db: Kysely<Database>, limit: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from scheduled_changes where executed_at is null and scheduled_at <= now() limit ${limit}::int
    ) as some_changes
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
