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
