import { type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { Database } from './tables.ts'

/** Changes columns of the only row of the workspace. */
export async function changeWorkspace(
  db: Kysely<Database>,
  columns: Updateable<Database['workspace']>,
): Promise<void> {
  await db.updateTable('workspace').set(columns).execute()
}

/** Changes columns of the workspace while its setup is not complete. */
export async function changeWorkspaceInSetup(
  db: Kysely<Database>,
  columns: Updateable<Database['workspace']>,
): Promise<void> {
  await db.updateTable('workspace').set(columns).where('setup_completed_at', 'is', null).execute()
}

/**
 * Announces a change that every instance reads: of rights, or of people who wait for roles of their groups.
 */
export async function bumpRevision(
  tx: Transaction<Database>,
  column: 'access_revision' | 'groups_revision',
): Promise<void> {
  await sql`update workspace set ${sql.ref(column)} = ${sql.ref(column)} + 1`.execute(tx)
}

/** Announces that the history before a time may be pruned. It never moves back. */
export async function moveHistoryHorizon(db: Kysely<Database>, before: string): Promise<void> {
  await sql`
    update workspace set history_horizon = ${before}::timestamptz
    where history_horizon is null or history_horizon < ${before}::timestamptz
  `.execute(db)
}
