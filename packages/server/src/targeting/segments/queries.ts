import type { Segment } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { ApprovalSwitch } from '../../kernel/approval.ts'
import type { ListQuery } from '../../platform/db/bounded-page.ts'
import { jsonRow, withFields } from '../../platform/db/json-row.ts'
import type { SegmentExtensions } from '../../platform/db/tables/flag-tables.ts'
import type { Database } from '../../platform/db/tables.ts'
import { keyListsOf } from './key-lists.ts'

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

const STORED_COLUMNS = [...COLUMNS, 'extensions'] as const

/** Returns the segment of a row. */
const toSegment = <R extends { readonly extensions: SegmentExtensions }>({ extensions, ...columns }: R) => ({
  ...columns,
  ...extensions,
})

export async function findSegment(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<Segment | undefined> {
  const row = await db
    .selectFrom('segments')
    .select(STORED_COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toSegment(row)
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
  const rows = await db
    .selectFrom('segments')
    .select(STORED_COLUMNS)
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
    .execute()
  return rows.map(toSegment)
}

/** Lists segments by key, in code unit order, after the one with the key `after`. */
export const segmentList = (environment_id: string, after: string | null): ListQuery => ({
  rows: sql`
    select ${sql.join(STORED_COLUMNS.map((column) => sql.ref(column)))}, bytes from segments
    where environment_id = ${environment_id}::uuid and (${after}::text is null or key collate "C" > ${after}::text)`,
  orderBy: sql`key collate "C"`,
  item: withFields(jsonRow(COLUMNS, ['created_at']), sql`extensions`),
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
    extensions: JSON.stringify(keyListsOf(segment)),
    revision: sql<number>`nextval('segment_revisions')`,
  }
  const { created_at, environment_id, id } = segment
  const row = await db
    .insertInto('segments')
    .values({ id, environment_id, created_at, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .returning(STORED_COLUMNS)
    .executeTakeFirstOrThrow()
  return toSegment(row)
}

export async function removeSegment(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('segments').where('id', '=', id).execute()
}
