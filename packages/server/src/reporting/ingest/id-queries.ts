import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type BatchName, keyOf } from './batch-name.ts'
import { insertBatchNames } from './batch-queries.ts'

export interface DrawnIds {
  /** The first id of the rows. The others follow it. */
  readonly first_id: number
  /** The day under which the rows are stored: `2026-01-31`. */
  readonly received_on: string
  /** True when rollup rows of deleted reports may remain. Remove those that are encountered. */
  readonly is_deleting: boolean
  /** The keys (`keyOf`) of those names whose batches are stored already. */
  readonly known: ReadonlySet<string>
}

/**
 * Draws ids for the rows that the transaction will store, and prevents other transactions from storing rows
 * of the same environment and kind until it ends, so rows appear in the order of their ids
 * (docs/reference/reports.md). Remembers the names of their batches. Null when the environment does not
 * exist. The day never steps back, unless the stored one is further ahead than clocks differ.
 */
export async function drawReportIds(
  tx: Transaction<Database>,
  {
    count,
    environment_id,
    kind,
    names,
    today,
  }: {
    readonly environment_id: string
    readonly kind: 'impression' | 'goal_event'
    readonly count: number
    readonly names: readonly BatchName[]
    readonly today: string
  },
): Promise<DrawnIds | null> {
  const keepsDay = sql`received_on between ${today}::date and ${today}::date + 1`
  // The names come first, whatever the plan: the condition needs them.
  const naming = names.length > 0 ? sql`with named as (${insertBatchNames(environment_id, names)})` : sql``
  const named = sql`(select coalesce(json_agg(named), '[]') from named)`
  const isNamed = names.length > 0 ? sql`and ${named} is not null` : sql``
  const { rows } = await sql<{
    last_id: number
    received_on: string
    is_deleting: boolean
    fresh: readonly BatchName[]
  }>`
    ${naming}
    update report_counters set
      last_id = last_id + ${count}::int,
      received_on = case when ${keepsDay} then received_on else ${today}::date end,
      day_first_id = case when ${keepsDay} then day_first_id else last_id + 1 end
    where environment_id = ${environment_id}::uuid and kind = ${kind} ${isNamed}
    returning last_id, received_on, is_deleting, ${names.length > 0 ? named : sql`'[]'::json`} as fresh
  `.execute(tx)
  const [drawn] = rows
  if (!drawn) return null
  const { fresh, is_deleting, last_id, received_on: day } = drawn
  const known = new Set(names.map(keyOf))
  for (const name of fresh) known.delete(keyOf(name))
  return { first_id: last_id - count + 1, received_on: day, is_deleting, known }
}
