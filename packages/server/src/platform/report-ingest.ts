import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../kernel/refusal.ts'
import { dayOf, dayText } from '../kernel/report-time.ts'
import type { Clock } from './clock.ts'
import { type DrawnIds, drawReportIds } from './db/draw-report-ids.ts'
import type { ReportPartitions } from './db/report-partitions.ts'
import type { Database } from './db/tables.ts'
import type { GroupedWrites, Measured } from './grouped-writes.ts'

export interface IngestDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly partitions: Pick<ReportPartitions, 'storing'>
  readonly groups: GroupedWrites
  /** Told of rows once they are committed. */
  readonly countRows: (rows: number) => void
}

/** How one kind of report is stored. */
interface ReportKind<Batch, Row> {
  /** Its name among the groups, and among the counters of ids. */
  readonly group: Parameters<GroupedWrites['kind']>[0]
  readonly kind: Parameters<typeof drawReportIds>[1]['kind']
  readonly rowsOf: (batch: Batch) => readonly Row[]
  /** Counts the rows, before anything is locked; gives what stores them under their ids. */
  readonly prepare: (
    rows: readonly Row[],
  ) => (
    tx: Transaction<Database>,
    at: { readonly environment_id: string; readonly drawn: DrawnIds },
  ) => Promise<void>
}

/**
 * Stores batches of one kind of report. What it gives resolves when the batch is committed, in one transaction with others
 * of its environment. Rejects with `not_found` when the environment is gone, and with `unavailable` when too much waits.
 */
export function createReportIngest<Batch extends Measured, Row>(
  { clock, countRows, db, groups, partitions }: IngestDeps,
  { group, kind, prepare, rowsOf }: ReportKind<Batch, Row>,
) {
  return groups.kind<Batch>(group, async (environment_id, batches) => {
    const rows = batches.flatMap(rowsOf)
    const store = prepare(rows)
    const today = dayText(dayOf(clock.now().getTime()))
    await partitions.storing(today, () =>
      db.transaction().execute(async (tx) => {
        const drawn = await drawReportIds(tx, { environment_id, kind, count: rows.length, today })
        if (!drawn) throw notFound('environment')
        await store(tx, { environment_id, drawn })
      }),
    )
    countRows(rows.length)
  })
}
