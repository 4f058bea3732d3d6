import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/** Returns whether a table has a row with the values. No row has null: a value that is not known. */
export async function rowExists<T extends keyof Database>(
  db: Kysely<Database>,
  table: T,
  values: { readonly [C in keyof Database[T]]?: string | number | null },
): Promise<boolean> {
  const isIt = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql`
    select from ${sql.table(table)} where ${sql.join(isIt, sql` and `)} limit 1`.execute(db)
  return rows.length > 0
}
