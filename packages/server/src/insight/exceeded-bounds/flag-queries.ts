import type { TargetingRule } from '@burgee/contract'
import { isCostlyOperator, OPERATORS } from '@burgee/evaluation'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A flag, and whether it may exceed a bound. */
export interface Candidate {
  readonly key: string
  readonly has_schema: boolean
  readonly has_cost: boolean
}

/** The flags of one statement, whose rules the database searches. */
const FLAGS_SEARCHED = 100

/** A pattern of rules with an operator whose tests have steps. */
const COSTLY = `"(${OPERATORS.filter(isCostlyOperator).join('|')})"`

/**
 * Returns a text that changes with every write of a flag or a segment of the environment. The revision of the
 * environment does not: SDKs see no schemas of values.
 */
export async function findContentMark(db: Kysely<Database>, environment_id: string): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select jsonb_build_array(
      (select jsonb_build_array(count(*), max(updated_at), sum(revision)) from flags
        where environment_id = ${environment_id}::uuid),
      (select jsonb_build_array(count(*), sum(revision)) from segments
        where environment_id = ${environment_id}::uuid))::text as mark`.execute(db)
  return rows[0]?.mark ?? ''
}

/** Returns whether a segment of the environment has rules whose evaluation has steps. */
export async function hasCostlySegments(db: Kysely<Database>, environment_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from segments where environment_id = ${environment_id}::uuid and rules::text ~ ${COSTLY} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Lists the next flags by key, and whether they may exceed a bound. Archived flags are not evaluated. */
export async function listCandidates(
  db: Kysely<Database>,
  environment_id: string,
  { after, segmentsCost }: { readonly after: string; readonly segmentsCost: boolean },
): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate>`
    select key, extensions::text like '%"value_schema"%' as has_schema,
      archived_at is null and (rules::text ~ ${COSTLY}
        or (${segmentsCost}::boolean and rules::text like '%"segment_key"%')) as has_cost
    from flags where environment_id = ${environment_id}::uuid and key > ${after}
    order by key limit ${FLAGS_SEARCHED}::int`.execute(db)
  return rows
}

/** Returns the rules of a flag; none where it was removed meanwhile. */
export async function findRules(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<readonly TargetingRule[]> {
  const found = await db
    .selectFrom('flags')
    .select('rules')
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return found?.rules ?? []
}
