import type { Segment } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = ['id', 'environment_id', 'name', 'key', 'description', 'rules', 'created_at'] as const

export async function findSegment(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<Segment | undefined> {
  return db
    .selectFrom('segments')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function segmentExists(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  return (await findSegment(db, environment_id, key)) !== undefined
}

/** Segments by key, in code unit order. */
export async function listSegments(db: Kysely<Database>, environment_id: string): Promise<Segment[]> {
  return db
    .selectFrom('segments')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
    .execute()
}

/** Creates the segment's row, or writes it over. */
export async function saveSegment(db: Kysely<Database>, segment: Segment): Promise<void> {
  const columns = {
    key: segment.key,
    name: segment.name,
    description: segment.description,
    rules: JSON.stringify(segment.rules),
  }
  const { created_at, environment_id, id } = segment
  await db
    .insertInto('segments')
    .values({ id, environment_id, created_at, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function removeSegment(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('segments').where('id', '=', id).execute()
}
