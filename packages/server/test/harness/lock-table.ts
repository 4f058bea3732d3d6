import type { TestDatabase } from './database.ts'

export interface HeldTable {
  /** Returns how many statements wait to read or write the table. */
  waiting(): Promise<number>
  release(): Promise<void>
}

/** Locks a table: statements that need its rows wait, and can be seen waiting. */
export async function lockTable(
  { pool }: Pick<TestDatabase, 'pool'>,
  table: 'audit_log' | 'change_requests',
): Promise<HeldTable> {
  const holder = await pool.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  return {
    async waiting() {
      const { rows } = await holder.query(
        'select count(*)::int as n from pg_locks where relation = $1::regclass and not granted',
        [table],
      )
      return rows[0].n
    },
    async release() {
      await holder.query('rollback')
      holder.release()
    },
  }
}
