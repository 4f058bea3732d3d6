import { sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'

/** Counts the receivers of an environment. Their number does not grow until the transaction ends. */
export async function countReceivers(
  tx: Transaction<Database>,
  table: 'webhooks' | 'integrations',
  environment_id: string,
): Promise<number> {
  // A collision of two environments only makes one wait.
  await sql`
    select pg_advisory_xact_lock(${ADVISORY_LOCKS.createReceivers}::int, hashtext(${environment_id}))`.execute(
    tx,
  )
  const { rows } = await sql<{ receivers: number }>`
    select count(*)::int as receivers from ${sql.table(table)} where environment_id = ${environment_id}::uuid`.execute(
    tx,
  )
  return rows[0]?.receivers ?? 0
}
