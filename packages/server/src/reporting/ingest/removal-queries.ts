import { type Kysely, sql } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/db/advisory-locks.ts'
import type { Database } from '../../platform/db/tables.ts'
import { REPORT_TABLES } from './partition-queries.ts'

/** Returns a deleted environment with remaining reports. */
export async function findDeletedEnvironment(db: Kysely<Database>): Promise<string | null> {
  const found = await db
    .selectFrom('deleted_environments')
    .select('environment_id')
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst()
  return found?.environment_id ?? null
}

/** The rollup tables, the smaller ones first. */
const ROLLUP_TABLES = [
  'impression_values',
  'impression_flags',
  'impression_days',
  'impression_users',
  'goals',
  'goal_users',
  'client_report_names',
  'unknown_flags',
] as const

/**
 * Removes at most `limit` of the reports of a deleted environment, the rollups first. When none are left it
 * forgets the environment: no reports arrive any more, because the row that gives ids was deleted with it.
 */
export async function removeSomeReports(
  db: Kysely<Database>,
  { environment_id, limit }: { readonly environment_id: string; readonly limit: number },
): Promise<'some' | 'none_left' | 'busy'> {
  return db.transaction().execute(async (tx) => {
    const locked = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.removeReports}::bigint) as is_mine`.execute(tx)
    if (!locked.rows[0]?.is_mine) return 'busy'
    for (const table of ROLLUP_TABLES) {
      const removed = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where environment_id = ${environment_id}::uuid limit ${limit}::int))
      `.execute(tx)
      if (removed.numAffectedRows) return 'some'
    }
    const users = await sql`
      delete from seen_users where environment_id = ${environment_id}::uuid and (day, user_hash) in (
        select day, user_hash from seen_users where environment_id = ${environment_id}::uuid limit ${limit}::int)
    `.execute(tx)
    if (users.numAffectedRows) return 'some'
    for (const table of REPORT_TABLES) {
      // By ids, which are unique within an environment, while partitions share row addresses.
      const removed = await sql`
        delete from ${sql.table(table)} where environment_id = ${environment_id}::uuid and id < ${limit}::int + (
          select min(id) from ${sql.table(table)} where environment_id = ${environment_id}::uuid)
      `.execute(tx)
      if (removed.numAffectedRows) return 'some'
    }
    await tx.deleteFrom('deleted_environments').where('environment_id', '=', environment_id).execute()
    return 'none_left'
  })
}
