import { LOGIN_FAILURE_WINDOW_MS, LOGIN_FAILURES_BEFORE_LOCK, LOGIN_LOCK_MS } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns the end of the account's lock; null when it is not locked. */
export async function readLock(db: Kysely<Database>, email: string, now: string): Promise<string | null> {
  const row = await db
    .selectFrom('login_failures')
    .select('locked_until')
    .where('email', '=', email)
    .where('locked_until', '>', now)
    .executeTakeFirst()
  return row?.locked_until ?? null
}

interface LoginClaim {
  /** The account key, or the key of a known browser. */
  readonly email: string
  /** The user of the known browser; null for an account key. */
  readonly userId: number | null
  readonly id: string
  readonly now: string
  readonly until: string
}

/**
 * Claims the account for one attempt. False while it is locked or another attempt is being checked. An
 * expired lock is removed with its failures, and counting restarts.
 */
export async function claimLogin(
  db: Kysely<Database>,
  { email, id, now, until, userId }: LoginClaim,
): Promise<boolean> {
  const { rows } = await sql`
    insert into login_failures as known (email, user_id, failed_at, checking_id, checking_until)
    values (${email}, ${userId}::integer, '{}', ${id}::uuid, ${until}::timestamptz)
    on conflict (email) do update set
      failed_at = case when known.locked_until is null then known.failed_at else '{}' end,
      locked_until = null,
      checking_id = excluded.checking_id,
      checking_until = excluded.checking_until
    where (known.locked_until is null or known.locked_until <= ${now}::timestamptz)
      and (known.checking_until is null or known.checking_until <= ${now}::timestamptz)
    returning email
  `.execute(db)
  return rows.length > 0
}

/**
 * Ends a claim after a wrong password. Returns the failures of the last ten minutes, or null when the claim
 * was lost.
 */
export async function recordFailure(
  db: Kysely<Database>,
  { email, id, now }: { email: string; id: string; now: Date },
): Promise<number | null> {
  const oldestCounted = new Date(now.getTime() - LOGIN_FAILURE_WINDOW_MS).toISOString()
  const lockEnd = new Date(now.getTime() + LOGIN_LOCK_MS).toISOString()
  const { rows } = await sql<{ failures: number }>`
    with counted as (
      select email, array(select at from unnest(failed_at) as at where at > ${oldestCounted}::timestamptz)
        || ${now.toISOString()}::timestamptz as failed_at
      from login_failures
      where email = ${email}
    )
    update login_failures as known set
      failed_at = counted.failed_at,
      locked_until = case when cardinality(counted.failed_at) >= ${LOGIN_FAILURES_BEFORE_LOCK}::int
        then ${lockEnd}::timestamptz end,
      checking_id = null,
      checking_until = null
    from counted
    where known.email = counted.email and known.checking_id = ${id}::uuid
    returning cardinality(known.failed_at) as failures
  `.execute(db)
  return rows[0]?.failures ?? null
}

/** Ends a claim after the right password, which clears the count. False when the claim was lost. */
export async function clearFailures(
  db: Kysely<Database>,
  { email, id }: { email: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('login_failures')
    .where('email', '=', email)
    .where('checking_id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends a claim without a result: nothing is counted, nothing cleared. */
export async function releaseClaim(
  db: Kysely<Database>,
  { email, id }: { email: string; id: string },
): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ checking_id: null, checking_until: null })
    .where('email', '=', email)
    .where('checking_id', '=', id)
    .execute()
}
