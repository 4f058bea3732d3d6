import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { int8Array, textArray } from '../../platform/db/binary-array.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { BatchName } from './batch-name.ts'

/** The names that are kept for each reporter in an environment (docs/reference/reports.md#named-batches). */
const NAMES_KEPT = 10_000
const NAMES_KEPT_FOR = sql`interval '24 hours'`

/**
 * The statement that remembers names of batches while the environment exists, in one order, so that two
 * transactions cannot wait for each other. It returns those that were not known.
 */
export function insertBatchNames(environment_id: string, names: readonly BatchName[]): RawBuilder<BatchName> {
  return sql<BatchName>`
    insert into report_batches (environment_id, reporter, sender, number)
    select environment_id, name.reporter, name.sender::uuid, name.number
    from (select environment_id from report_counters where environment_id = ${environment_id}::uuid limit 1) as found,
      unnest(
        ${textArray(names.map(({ reporter }) => reporter))}::text[],
        ${textArray(names.map(({ sender }) => sender))}::text[],
        ${int8Array(names.map(({ number }) => number))}::bigint[]
      ) as name (reporter, sender, number)
    order by 2, 3, 4
    on conflict do nothing
    returning reporter, sender, number`
}

/** Removes the names of a reporter beyond the newest ones. Rows that others remove are left to them. */
export async function removeOldestNames(
  tx: Transaction<Database>,
  { environment_id, reporter }: { readonly environment_id: string; readonly reporter: string },
): Promise<void> {
  await sql`
    delete from report_batches where ctid = any(array(
      select ctid from report_batches
      where environment_id = ${environment_id}::uuid and reporter = ${reporter}
      order by stored_at desc, sender, number offset ${NAMES_KEPT} for update skip locked))
  `.execute(tx)
}

/** Removes at most `limit` expired names of batches. Returns their number. */
export async function pruneBatchNames(db: Kysely<Database>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from report_batches where ctid = any(array(
      select ctid from report_batches where stored_at < now() - ${NAMES_KEPT_FOR}
      limit ${limit}::int for update skip locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
