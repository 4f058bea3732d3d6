import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns those of the flags whose value schema has the type `number`. */
export async function listNumberFlags(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('flags')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .where(sql<boolean>`(extensions -> 'value_schema' -> 'type')::jsonb ? 'number'`)
    .execute()
  return rows.map(({ key }) => key)
}
