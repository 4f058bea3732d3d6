import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { SegmentRules } from './expand-rules.ts'

/** The rules of every segment of the environment. */
export async function readSegmentRules(db: Kysely<Database>, environment_id: string): Promise<SegmentRules> {
  const rows = await db
    .selectFrom('segments')
    .select(['key', 'rules'])
    .where('environment_id', '=', environment_id)
    .execute()
  return new Map(rows.map(({ key, rules }) => [key, rules]))
}
