import { type Kysely, sql } from 'kysely'
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

/** The stored bytes, and the number, of segments that are read to find warnings. */
const REACHED_SEGMENTS_MAX_BYTES = 4 * 1024 * 1024
const REACHED_SEGMENTS_MAX = 10_000

/**
 * The rules of the segments with these keys and of all that they name, at any depth. Returns null when they
 * are larger than `REACHED_SEGMENTS_MAX_BYTES`, or too many: their sizes are added up before their rules are
 * read.
 */
export async function readReachedSegments(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<SegmentRules | null> {
  if (keys.length === 0) return new Map()
  const reached = await listReachedSegments(db, environment_id, keys)
  if (reached === null) return null
  const rows = await db
    .selectFrom('segments')
    .select(['key', 'rules'])
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${reached}::text[])`)
    .execute()
  return new Map(rows.map(({ key, rules }) => [key, rules]))
}

/** Lists the segments that the keys reach, by key; null when they are more than allowed. */
async function listReachedSegments(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<readonly string[] | null> {
  const { rows } = await sql<{ keys: readonly string[] | null }>`
    with recursive reached (key) as (
      select unnest(${keys}::text[])
      union
      select json_array_elements(segments.rules) ->> 'segment_key'
      from reached join segments on segments.key = reached.key and segments.environment_id = ${environment_id}::uuid
    )
    select case
      when count(*) <= ${REACHED_SEGMENTS_MAX}::int and coalesce(sum(bytes), 0) <= ${REACHED_SEGMENTS_MAX_BYTES}::int
      then coalesce(array_agg(segments.key), array[]::text[]) end as keys
    from (select key from reached limit ${REACHED_SEGMENTS_MAX + 1}::int) bounded
    join segments on segments.key = bounded.key and segments.environment_id = ${environment_id}::uuid`.execute(
    db,
  )
  return rows[0]?.keys ?? null
}
