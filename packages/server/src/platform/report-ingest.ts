import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../kernel/refusal.ts'
import { dayOf, dayText } from '../kernel/report-time.ts'
import type { Clock } from './clock.ts'
import type { HashUser } from './crypto/user-hash.ts'
import { type DrawnIds, drawReportIds } from './db/draw-report-ids.ts'
import type { ReportPartitions } from './db/report-partitions.ts'
import type { Database } from './db/tables.ts'
import type { GroupedWrites, Measured } from './grouped-writes.ts'
import type { ReportBudget } from './report-budget.ts'

export interface IngestDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly budget: ReportBudget
  readonly hashUser: HashUser
  readonly partitions: Pick<ReportPartitions, 'storing'>
  readonly groups: GroupedWrites
  /** Told of rows once they are committed. */
  readonly countRows: (rows: number) => void
}

/** How one kind of report is stored. */
interface ReportKind<Batch> {
  /** Its name among the groups, and among the counters of ids. */
  readonly group: Parameters<GroupedWrites['kind']>[0]
  readonly kind: Parameters<typeof drawReportIds>[1]['kind']
  /** Counts what the batches hold, before anything is locked. */
  readonly prepare: (environment_id: string, batches: readonly Batch[]) => Promise<PreparedReports>
}

interface PreparedReports {
  /** Stores them under their ids. May be called again where the transaction failed. */
  readonly store: (tx: Transaction<Database>, at: StoringAt) => Promise<void>
  readonly onCommitted?: () => void
}

/** Where the reports of one group are stored. */
export interface StoringAt {
  readonly environment_id: string
  readonly drawn: DrawnIds
}

/**
 * Stores batches of one kind of report. What it gives resolves when the batch is committed, in one transaction with others
 * of its environment. Rejects with `not_found` when the environment is gone, and with `unavailable` when too much waits.
 */
export function createReportIngest<Batch extends Measured>(
  { clock, countRows, db, groups, partitions }: IngestDeps,
  { group, kind, prepare }: ReportKind<Batch>,
) {
  return groups.kind<Batch>(group, async (environment_id, batches) => {
    const count = batches.reduce((sum, { rows }) => sum + rows, 0)
    const { onCommitted, store } = await prepare(environment_id, batches)
    const today = dayText(dayOf(clock.now().getTime()))
    await partitions.storing(today, () =>
      db.transaction().execute(async (tx) => {
        const drawn = await drawReportIds(tx, { environment_id, kind, count, today })
        if (!drawn) throw notFound('environment')
        await store(tx, { environment_id, drawn })
      }),
    )
    onCommitted?.()
    countRows(count)
  })
}
