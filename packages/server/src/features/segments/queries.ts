import type { Segment } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { ApprovalSwitch } from '../../kernel/approval.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'

const COLUMNS = [
  'id',
  'environment_id',
  'name',
  'key',
  'description',
  'rules',
  'revision',
  'created_at',
] as const

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

/** Returns the approval settings of the environment. */
export async function findApproval(
  db: Kysely<Database>,
  environment_id: string,
): Promise<ApprovalSwitch | undefined> {
  return db
    .selectFrom('environments')
    .select(['require_approval', 'approval_scope'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}

/** Returns segments by key, in code unit order. */
export async function listSegments(db: Kysely<Database>, environment_id: string): Promise<Segment[]> {
  return db
    .selectFrom('segments')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
    .execute()
}

/** Lists segments by key, in code unit order, after the one with the key `after`. */
export const segmentList = (environment_id: string, after: string | null): ListQuery => ({
  rows: sql`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}, bytes from segments
    where environment_id = ${environment_id}::uuid and (${after}::text is null or key collate "C" > ${after}::text)`,
  orderBy: sql`key collate "C"`,
  item: jsonRow(COLUMNS, ['created_at']),
  place: sql`json_build_array(key)`,
})

/** A segment without its revision, which the database assigns. */
export type UnsavedSegment = Omit<Segment, 'revision'>

/** Inserts or updates the segment's row. Gives it with its new revision. */
export async function saveSegment(db: Kysely<Database>, segment: UnsavedSegment): Promise<Segment> {
  const columns = {
    key: segment.key,
    name: segment.name,
    description: segment.description,
    rules: JSON.stringify(segment.rules),
    revision: sql<number>`nextval('segment_revisions')`,
  }
  const { created_at, environment_id, id } = segment
  return db
    .insertInto('segments')
    .values({ id, environment_id, created_at, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function removeSegment(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('segments').where('id', '=', id).execute()
}
