import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Lists the ids of all projects. */
export async function listProjectIds(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db.selectFrom('projects').select('id').orderBy('slug').execute()
  return rows.map(({ id }) => id)
}
