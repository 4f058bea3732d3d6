import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { ReportDeletion } from './report-deletion.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'subject',
  'name',
  'impressions_to',
  'goal_events_to',
  'cursor_id',
  'removed',
] as const

export async function insertDeletion(
  tx: Transaction<Database>,
  deletion: Omit<ReportDeletion, 'id'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('report_deletions')
    .values(deletion)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findDeletion(db: Kysely<Database>, id: number): Promise<ReportDeletion | undefined> {
  return db.selectFrom('report_deletions').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Returns a deletion and locks it: one worker at a time continues it. */
export async function lockDeletion(
  tx: Transaction<Database>,
  id: number,
): Promise<ReportDeletion | undefined> {
  return tx.selectFrom('report_deletions').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Returns the ids of incomplete deletions, oldest first. */
export async function listDeletionIds(db: Kysely<Database>): Promise<number[]> {
  const found = await db.selectFrom('report_deletions').select('id').orderBy('id').execute()
  return found.map(({ id }) => id)
}

export async function saveDeletion(
  tx: Transaction<Database>,
  { cursor_id, goal_events_to, id, impressions_to, removed }: ReportDeletion,
): Promise<void> {
  await tx
    .updateTable('report_deletions')
    .set({ cursor_id, goal_events_to, impressions_to, removed })
    .where('id', '=', id)
    .execute()
}

export async function deleteDeletion(tx: Transaction<Database>, id: number): Promise<void> {
  await tx.deleteFrom('report_deletions').where('id', '=', id).execute()
}

/** Returns whether rollup rows of deleted reports may remain in the environment. */
export async function hasRollupDeletions(
  tx: Transaction<Database>,
  environment_id: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (
      select from report_deletions where environment_id = ${environment_id}::uuid and subject <> 'user') as is_there
  `.execute(tx)
  return rows[0]?.is_there ?? false
}
