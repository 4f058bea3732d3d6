import type pg from 'pg'

/** Returns whether at least this number of statements in the database wait for a lock. */
export async function isWaitingForALock(pool: pg.Pool, atLeast = 1): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return (rows[0]?.count ?? 0) >= atLeast
}
