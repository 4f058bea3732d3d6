import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../kernel/refusal.ts'
import { dayOf, dayText } from '../kernel/utc-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { HashUser } from '../platform/crypto/user-hash.ts'
import type { Database } from '../platform/db/tables.ts'
import type { GroupedWrites, Measured } from './grouped-writes.ts'
import { type DrawnIds, drawReportIds } from './id-queries.ts'
import type { ReportBudget } from './report-budget.ts'
import type { ReportPartitions } from './report-partitions.ts'

export interface IngestDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly budget: ReportBudget
  readonly hashUser: HashUser
  readonly partitions: Pick<ReportPartitions, 'storing'>
  readonly groups: GroupedWrites
  /** Receives the number of rows once they are committed. */
  readonly countRows: (rows: number) => void
}

/** A kind of report and how it is stored. */
interface ReportKind<Batch> {
  /** The name of the kind among the groups and the counters of ids. */
  readonly group: Parameters<GroupedWrites['kind']>[0]
  readonly kind: Parameters<typeof drawReportIds>[1]['kind']
  /** Counts the contents of the batches before anything is locked. */
  readonly prepare: (environment_id: string, batches: readonly Batch[]) => Promise<PreparedReports>
}

interface PreparedReports {
  /** Stores them under their ids. It may be called again when the transaction failed. */
  readonly store: (tx: Transaction<Database>, at: StoringAt) => Promise<void>
  readonly onCommitted?: () => void
}

/** The place of a group's reports. */
export interface StoringAt {
  readonly environment_id: string
  readonly drawn: DrawnIds
}

/**
 * Creates a function that stores batches of one kind of report. Its promise resolves when the batch is
 * committed, in one transaction with others of its environment. It rejects with `not_found` when the
 * environment does not exist, and with `unavailable` when too much waits.
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
