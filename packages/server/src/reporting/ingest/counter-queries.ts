import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** The last ids that were drawn, for each kind. */
export interface LastIds {
  readonly impressions: number
  readonly goal_events: number
}

/**
 * Locks the counters of the environment, so that no reports are stored until the transaction ends. Null when
 * the environment does not exist. Ingest locks the counter of one kind at a time, so the order of the two
 * locks cannot cause a deadlock.
 */
export async function lockReportCounters(
  tx: Transaction<Database>,
  environment_id: string,
): Promise<LastIds | null> {
  const { rows } = await sql<{ kind: 'impression' | 'goal_event'; last_id: number }>`
    select kind, last_id from report_counters where environment_id = ${environment_id}::uuid order by kind for update
  `.execute(tx)
  const idOf = (wanted: string) => rows.find(({ kind }) => kind === wanted)?.last_id
  const impressions = idOf('impression')
  const goal_events = idOf('goal_event')
  return impressions === undefined || goal_events === undefined ? null : { impressions, goal_events }
}

/** Returns whether the environment still exists. */
export async function hasReportCounters(tx: Transaction<Database>, environment_id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('report_counters')
    .select('kind')
    .where('environment_id', '=', environment_id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Sets whether storing reports must look for rollup rows of deleted ones. */
export async function setDeleting(
  tx: Transaction<Database>,
  { environment_id, is_deleting }: { readonly environment_id: string; readonly is_deleting: boolean },
): Promise<void> {
  await tx
    .updateTable('report_counters')
    .set({ is_deleting })
    .where('environment_id', '=', environment_id)
    .execute()
}

/** Returns the id before the first single report that is still kept; 0 when there are none. */
export async function findIdBeforeFirst(
  tx: Transaction<Database>,
  table: 'impressions' | 'goal_events',
  environment_id: string,
): Promise<number> {
  const { rows } = await sql<{ before_first: number }>`
    select coalesce(min(id) - 1, 0) as before_first from ${sql.table(table)}
    where environment_id = ${environment_id}::uuid`.execute(tx)
  return rows[0]?.before_first ?? 0
}
