import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/db/tables.ts'

/** Returns the environment's name and slug, for its events. */
export async function findEnvironmentForEvent(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ id: string; name: string; slug: string } | undefined> {
  return db
    .selectFrom('environments')
    .select(['id', 'name', 'slug'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}
