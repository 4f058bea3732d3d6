import { LOGIN_FAILURE_WINDOW_MS } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

interface Lock {
  /** The account key, or the key of a device. */
  readonly email: string
  readonly user_id: number | null
  readonly locked_until: string
}

/** Returns the current locks of accounts by their keys, and of known browsers by their users. */
export async function findLocks(
  db: Kysely<Database>,
  of: { readonly accountKeys: readonly string[]; readonly userIds: readonly number[] },
  now: string,
): Promise<Lock[]> {
  const { rows } = await sql<Lock>`
    select email, user_id, locked_until from login_failures
    where (email = any(${of.accountKeys}::text[]) or user_id = any(${of.userIds}::integer[]))
      and locked_until > ${now}::timestamptz
  `.execute(db)
  return rows
}

/**
 * Removes the failures of a user's logins from all sources. An attempt that is being checked keeps its claim.
 */
export async function forgetFailures(
  tx: Transaction<Database>,
  of: { readonly accountKey: string; readonly userId: number },
): Promise<void> {
  await tx
    .updateTable('login_failures')
    .set({ failed_at: sql`'{}'`, locked_until: null })
    .where((where) => where.or([where('email', '=', of.accountKey), where('user_id', '=', of.userId)]))
    .execute()
}

/** Removes failures that do not count any more, at most `limit` of them. Returns their number. */
export async function pruneFailures(db: Kysely<Database>, now: Date, limit: number): Promise<number> {
  const oldestCounted = new Date(now.getTime() - LOGIN_FAILURE_WINDOW_MS).toISOString()
  const { numAffectedRows } = await sql`
    delete from login_failures where ctid = any(array(
      select ctid from login_failures
      where coalesce(locked_until, '-infinity') <= ${now.toISOString()}::timestamptz
        and coalesce(checking_until, '-infinity') <= ${now.toISOString()}::timestamptz
        and coalesce(failed_at[cardinality(failed_at)], '-infinity') <= ${oldestCounted}::timestamptz
      limit ${limit}::int for update skip locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
