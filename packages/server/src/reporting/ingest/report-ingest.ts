import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import { dayOf, dayText } from '../../kernel/utc-day.ts'
import type { Clock } from '../../platform/clock.ts'
import type { HashUser } from '../../platform/crypto/user-hash.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type BatchName, firstOfEachName, keyOf } from './batch-name.ts'
import { removeOldestNames } from './batch-queries.ts'
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

/** The batches of one request that can be sent again. */
interface NamedBatch extends Measured {
  readonly name: BatchName | undefined
}

/** Thrown to end a transaction in which batches turned out to be stored already. */
class StoredAlready extends Error {
  readonly known: ReadonlySet<string>

  constructor(known: ReadonlySet<string>) {
    super()
    this.known = known
  }
}

/**
 * Creates a function that stores batches of one kind of report. Its promise resolves when the batch is
 * committed, in one transaction with others of its environment, or was stored before under its name. It
 * rejects with `not_found` when the environment does not exist, and with `unavailable` when too much waits.
 */
export function createReportIngest<Batch extends NamedBatch>(
  { clock, countRows, db, groups, partitions }: IngestDeps,
  { group, kind, prepare }: ReportKind<Batch>,
) {
  const trimNames = createNameTrimming()

  async function store(environment_id: string, batches: readonly Batch[]): Promise<void> {
    const count = batches.reduce((sum, { rows }) => sum + rows, 0)
    const names = batches.flatMap(({ name }) => name ?? [])
    const { onCommitted, store } = await prepare(environment_id, batches)
    const today = dayText(dayOf(clock.now().getTime()))
    await partitions.storing(today, () =>
      db.transaction().execute(async (tx) => {
        const drawn = await drawReportIds(tx, { environment_id, kind, count, names, today })
        if (!drawn) throw notFound('environment')
        if (drawn.known.size > 0) throw new StoredAlready(drawn.known)
        await store(tx, { environment_id, drawn })
        await trimNames(tx, environment_id, names)
      }),
    )
    onCommitted?.()
    countRows(count)
  }

  async function storeFresh(environment_id: string, batches: readonly Batch[]): Promise<void> {
    if (batches.length === 0) return
    try {
      await store(environment_id, batches)
    } catch (error) {
      if (!(error instanceof StoredAlready)) throw error
      const { known } = error
      await storeFresh(
        environment_id,
        batches.filter(({ name }) => name === undefined || !known.has(keyOf(name))),
      )
    }
  }

  return groups.kind<Batch>(group, (environment_id, batches) =>
    storeFresh(environment_id, firstOfEachName(batches)),
  )
}

/** The new names of a reporter after which its oldest ones are removed. */
const NAMES_PER_TRIM = 500
/** The reporters whose names an instance counts. Beyond it, it begins again. */
const REPORTERS_MAX = 10_000

/** Creates the function that counts new names and removes the oldest of a reporter now and then. */
function createNameTrimming() {
  const counts = new Map<string, number>()
  return async (tx: Transaction<Database>, environment_id: string, names: readonly BatchName[]) => {
    for (const { reporter } of names) {
      const key = `${environment_id} ${reporter}`
      if (counts.size >= REPORTERS_MAX) counts.clear()
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count % NAMES_PER_TRIM)
      if (count === NAMES_PER_TRIM) await removeOldestNames(tx, { environment_id, reporter })
    }
  }
}
