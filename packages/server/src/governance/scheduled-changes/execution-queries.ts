import { type Kysely, sql, type Transaction } from 'kysely'
import { limitLockWaits } from '../../platform/db/short-locks.ts'
import type { Database } from '../../platform/db/tables.ts'
import { pendingChanges, type StoredScheduledChange } from './queries.ts'

/** The selection of environments with due changes. */
export interface DueSelection {
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  readonly limit: number
  /** The ids of environments that are left out. */
  readonly except: readonly string[]
}

/**
 * Returns the ids of environments with due changes that are not executed and do not wait for a retry, the one
 * with the earliest change first.
 */
export async function listDueEnvironments(
  db: Kysely<Database>,
  { except, limit, now }: DueSelection,
): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_changes')
    .select('environment_id')
    .where('executed_at', 'is', null)
    .where('scheduled_at', '<=', now)
    .where(sql<boolean>`environment_id <> all(${except}::uuid[])`)
    .where(sql<boolean>`not ${waitsForRetry(now)}`)
    .groupBy('environment_id')
    .orderBy(({ fn }) => fn.min('scheduled_at'))
    .limit(limit)
    .execute()
  return rows.map(({ environment_id }) => environment_id)
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

export type PendingChange = StoredScheduledChange & { readonly change_request_id: number | null }

/**
 * Locks the earliest due change of an environment that does not wait for a retry; undefined when there is
 * none. Under the lock of the environment, no other instance has the same one.
 */
export async function lockNextDueChange(
  tx: Transaction<Database>,
  { environment_id, now }: { readonly environment_id: string; readonly now: string },
): Promise<PendingChange | undefined> {
  return pendingChanges(tx)
    .where('environment_id', '=', environment_id)
    .where('scheduled_at', '<=', now)
    .where(sql<boolean>`not ${waitsForRetry(now)}`)
    .orderBy('scheduled_at')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** Locks a due change; undefined when it was executed, does not exist, or waits for a retry. */
export async function lockDueChange(
  tx: Transaction<Database>,
  { environment_id, id, now }: { readonly environment_id: string; readonly id: string; readonly now: string },
): Promise<PendingChange | undefined> {
  return pendingChanges(tx)
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .where(sql<boolean>`not ${waitsForRetry(now)}`)
    .executeTakeFirst()
}

interface FailedAttempt {
  readonly environment_id: string
  readonly id: string
  readonly error: string
  readonly now: Date
  readonly delayMs: (failedAttempts: number) => number
  /** The wait for a lock. */
  readonly lockTimeoutMs: number
}

/**
 * Stores that an attempt failed and when the next one is. Returns the number of failed attempts; undefined
 * when the change was executed, was withdrawn, or waits for a retry already.
 */
export async function storeFailedAttempt(
  db: Kysely<Database>,
  { delayMs, environment_id, error, id, lockTimeoutMs, now }: FailedAttempt,
): Promise<{ readonly attempts: number; readonly retry_at: string } | undefined> {
  return db.transaction().execute(async (tx) => {
    await limitLockWaits(tx, lockTimeoutMs)
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
