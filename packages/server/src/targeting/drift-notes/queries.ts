import type { DriftNote } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = [
  'flag_key',
  'source',
  'target',
  'reason',
  'owner_email',
  'expires_at',
  'created_by',
  'created_at',
] as const

export async function listDriftNotes(db: Kysely<Database>, project_id: string): Promise<DriftNote[]> {
  return db
    .selectFrom('drift_notes')
    .select(COLUMNS)
    .where('project_id', '=', project_id)
    .orderBy('flag_key')
    .execute()
}

export async function findDriftNote(
  db: Kysely<Database>,
  project_id: string,
  flag_key: string,
): Promise<DriftNote | null> {
  const found = await db
    .selectFrom('drift_notes')
    .select(COLUMNS)
    .where('project_id', '=', project_id)
    .where('flag_key', '=', flag_key)
    .executeTakeFirst()
  return found ?? null
}

export async function countDriftNotes(db: Kysely<Database>, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('drift_notes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function saveDriftNote(
  db: Kysely<Database>,
  project_id: string,
  note: DriftNote,
): Promise<void> {
  const { flag_key, ...fields } = note
  await db
    .insertInto('drift_notes')
    .values({ project_id, flag_key, ...fields })
    .onConflict((conflict) => conflict.columns(['project_id', 'flag_key']).doUpdateSet(fields))
    .execute()
}

export async function deleteDriftNoteRow(
  db: Kysely<Database>,
  project_id: string,
  flag_key: string,
): Promise<void> {
  await db
    .deleteFrom('drift_notes')
    .where('project_id', '=', project_id)
    .where('flag_key', '=', flag_key)
    .execute()
}
