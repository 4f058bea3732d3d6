import type { TargetingRule } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { SegmentExtensions } from '../../platform/db/tables/flag-tables.ts'
import type { Database } from '../../platform/db/tables.ts'
import { membersOf, type Segments } from '../rules/index.ts'

const MEMBER_COLUMNS = ['key', 'rules', 'extensions'] as const

/** The members of every segment of the environment. */
export async function readSegments(db: Kysely<Database>, environment_id: string): Promise<Segments> {
  const rows = await db
    .selectFrom('segments')
    .select(MEMBER_COLUMNS)
    .where('environment_id', '=', environment_id)
    .execute()
  return toSegments(rows)
}

interface MemberRow {
  readonly key: string
  readonly rules: TargetingRule[]
  readonly extensions: SegmentExtensions
}

const toSegments = (rows: readonly MemberRow[]): Segments =>
  new Map(rows.map(({ extensions, key, rules }) => [key, membersOf({ rules, ...extensions })]))

/** The stored bytes, and the number, of segments that are read to find warnings. */
const REACHED_SEGMENTS_MAX_BYTES = 4 * 1024 * 1024
const REACHED_SEGMENTS_MAX = 10_000

/**
 * The members of the segments with these keys and of all that they name, at any depth. Returns null when they
 * are larger than `REACHED_SEGMENTS_MAX_BYTES`, or too many: their sizes are added up before their rules are
 * read.
 */
export async function readReachedSegments(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<Segments | null> {
  if (keys.length === 0) return new Map()
  const reached = await listReachedSegments(db, environment_id, keys)
  if (reached === null) return null
  const rows = await db
    .selectFrom('segments')
    .select(MEMBER_COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', sql<string>`any(${reached}::text[])`)
    .execute()
  return toSegments(rows)
}

/**
 * Lists the segments that the keys reach, by key; null when they are more than allowed. Names of segments
 * that do not exist count: behind them others may be cut off, which would seem not to exist.
 */
async function listReachedSegments(
  db: Kysely<Database>,
  environment_id: string,
  keys: readonly string[],
): Promise<readonly string[] | null> {
  const { rows } = await sql<{ keys: readonly string[] | null }>`
    with recursive reached (key) as (
      select unnest(${keys}::text[])
      union
      select named.key
      from reached join segments on segments.key = reached.key and segments.environment_id = ${environment_id}::uuid
      cross join lateral (
        select rule ->> 'segment_key' as key from json_array_elements(segments.rules) rule
        union all
        select condition ->> 'segment_key' from json_array_elements(segments.rules) rule,
          json_array_elements(coalesce(rule -> 'conditions', '[]'::json)) condition
      ) named
    )
    select case
      when count(*) <= ${REACHED_SEGMENTS_MAX}::int and coalesce(sum(bytes), 0) <= ${REACHED_SEGMENTS_MAX_BYTES}::int
      then coalesce(array_agg(segments.key) filter (where segments.key is not null), array[]::text[]) end as keys
    from (select key from reached limit ${REACHED_SEGMENTS_MAX + 1}::int) bounded
    left join segments on segments.key = bounded.key and segments.environment_id = ${environment_id}::uuid`.execute(
    db,
  )
  return rows[0]?.keys ?? null
}
