import type { Impact, StoredImpact } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { utcText } from '../../platform/db/json-row.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Subject } from './stored-impact.ts'

/** The stored impacts of an environment: the newest. */
const STORED_MAX = 1000

/** Stores an impact, unless one of the subject is stored, and removes the oldest beyond the bound. */
export async function storeImpact(
  db: Kysely<Database>,
  { computed_at, environment_id, impact, subject }: StoredRow,
): Promise<void> {
  await db
    .insertInto('stored_impacts')
    .values({ environment_id, subject, impact: JSON.stringify(impact), computed_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    delete from stored_impacts where environment_id = ${environment_id}::uuid and computed_at < (
      select computed_at from stored_impacts where environment_id = ${environment_id}::uuid
      order by computed_at desc offset ${STORED_MAX - 1}::int limit 1
    )
  `.execute(db)
}

interface StoredRow {
  readonly environment_id: string
  readonly subject: Subject
  readonly impact: Impact
  /** The time, ISO 8601 in UTC. */
  readonly computed_at: string
}

/** Returns the stored impact of a subject; null without one. */
export async function findStoredImpact(
  db: Kysely<Database>,
  environment_id: string,
  subject: Subject,
): Promise<StoredImpact | null> {
  const row = await db
    .selectFrom('stored_impacts')
    .select(['impact', 'computed_at'])
    .where('environment_id', '=', environment_id)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ? { ...row.impact, computed_at: row.computed_at } : null
}

/** The columns of a row that name its stored impact. */
interface SubjectColumns {
  readonly environment_id: RawBuilder<unknown>
  readonly subject: RawBuilder<unknown>
}

const isOf = ({ environment_id, subject }: SubjectColumns) =>
  sql`s.environment_id = ${environment_id} and s.subject = ${subject}`

/** The JSON of the stored impact of a row; null without one. */
export const storedImpactOf = (columns: SubjectColumns) =>
  sql<StoredImpact | null>`(
    select (left(s.impact::text, -1) || ',"computed_at":"' || ${utcText(sql`s.computed_at`)} || '"}')::json
    from stored_impacts s where ${isOf(columns)}
  )`

/** The bytes of the stored impact of a row. */
export const storedImpactBytes = (columns: SubjectColumns) =>
  sql<number>`coalesce((select octet_length(s.impact::text) from stored_impacts s where ${isOf(columns)}), 0)`
