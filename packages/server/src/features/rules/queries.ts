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

/** The stored bytes of segments that are read to find warnings. */
const REACHED_SEGMENTS_MAX_BYTES = 4 * 1024 * 1024

/**
 * The rules of the segments with these keys and of all that they name, at any depth. Returns null when they
 * are larger than `REACHED_SEGMENTS_MAX_BYTES`: their sizes are read before their rules.
 */
export async function readReachedSegments(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<SegmentRules | null> {
  if (keys.length === 0) return new Map()
  const reached = await listReachedSegments(db, environment_id, keys)
  if (reached.reduce((sum, { bytes }) => sum + bytes, 0) > REACHED_SEGMENTS_MAX_BYTES) return null
  const rows = await db
    .selectFrom('segments')
    .select(['key', 'rules'])
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${reached.map(({ key }) => key)}::text[])`)
    .execute()
  return new Map(rows.map(({ key, rules }) => [key, rules]))
}

/** The keys and sizes of the segments that the keys reach. */
const listReachedSegments = (db: Kysely<Database>, environment_id: string, keys: readonly string[]) =>
  db
    .withRecursive('reached(key)', (cte) =>
      cte
        .selectNoFrom(sql<string>`unnest(${keys}::text[])`.as('key'))
        .union(
          cte
            .selectFrom('reached')
            .innerJoin('segments', 'segments.key', 'reached.key')
            .where('segments.environment_id', '=', environment_id)
            .select(sql<string>`json_array_elements(segments.rules) ->> 'segment_key'`.as('key')),
        ),
    )
    .selectFrom('segments')
    .select(['key', 'bytes'])
    .where('environment_id', '=', environment_id)
    .where('key', 'in', (named) => named.selectFrom('reached').select('reached.key'))
    .execute()
