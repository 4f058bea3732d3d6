import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns the revisions of flags or segments by key. */
export async function findRevisions(
  db: Kysely<Database>,
  environment_id: string,
  { keys, table }: { readonly table: 'flags' | 'segments'; readonly keys: readonly string[] },
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['key', 'revision'])
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ key, revision }) => [key, revision]))
}
