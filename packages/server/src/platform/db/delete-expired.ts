import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

type ExpiringTable = {
  [T in keyof Database]: Database[T] extends { expires_at: string } ? T : never
}[keyof Database]

/** Deletes rows of a table whose `expires_at` has passed, at most `rows` of them. Returns their number. */
export async function deleteExpired(
  db: Kysely<Database>,
  table: ExpiringTable,
  now: Date,
  rows: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where expires_at <= ${now.toISOString()}::timestamptz
      limit ${rows}::int for update skip locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
