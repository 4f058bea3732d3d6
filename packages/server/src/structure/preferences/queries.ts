import type { Preferences } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The user and the project that preferences belong to. */
export interface PreferencesOwner {
  readonly user_id: number
  readonly project_id: string
}

export async function findPreferences(
  db: Kysely<Database>,
  { project_id, user_id }: PreferencesOwner,
): Promise<Preferences | undefined> {
  const row = await db
    .selectFrom('user_preferences')
    .select('preferences')
    .where('user_id', '=', user_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row?.preferences
}

/**
 * Locks the preferences of a user until the transaction ends, and stores empty ones before that if there are
 * none. Undefined when the user or the project was deleted; pending deletions are awaited.
 */
export async function lockPreferences(
  tx: Transaction<Database>,
  { project_id, user_id }: PreferencesOwner,
  empty: Preferences,
): Promise<Preferences | undefined> {
  await sql`
    insert into user_preferences (project_id, user_id, preferences)
    select p.id, u.id, ${JSON.stringify(empty)}::json
    from projects p cross join users u
    where p.id = ${project_id}::uuid and u.id = ${user_id}::int
    for key share
    on conflict (user_id, project_id) do nothing
  `.execute(tx)
  const row = await tx
    .selectFrom('user_preferences')
    .select('preferences')
    .where('user_id', '=', user_id)
    .where('project_id', '=', project_id)
    .forUpdate()
    .executeTakeFirst()
  return row?.preferences
}

export async function storePreferences(
  tx: Transaction<Database>,
  { project_id, user_id }: PreferencesOwner,
  preferences: Preferences,
): Promise<void> {
  await tx
    .updateTable('user_preferences')
    .set({ preferences: JSON.stringify(preferences) })
    .where('user_id', '=', user_id)
    .where('project_id', '=', project_id)
    .execute()
}
