import type { Kysely } from 'kysely'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import type { KeyStreamCounts } from './key-stream-counts.ts'
import { pruneStreamCounts, removeStreamCounts, storeKeyStreamCounts, storeStreamCounts } from './queries.ts'
import type { StreamCounts } from './stream-counts.ts'

const TICK_MS = 1_000
/**
 * The ticks after which unchanged counts are reported again, 5 s. An instance that is silent for 15 s is not
 * counted.
 */
const HEARTBEAT_TICKS = 5
const PRUNE_TICKS = 15
/** The timeout on close, so that an unresponsive database does not delay a shutdown. */
const CLOSE_MS = 1_000

export interface StreamCountReports {
  close(): Promise<void>
}

export interface ReportDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  /** The id of this instance among those that share the database. */
  readonly instance_id: string
  readonly counts: Pick<StreamCounts, 'due' | 'reported'>
  readonly keyCounts: Pick<KeyStreamCounts, 'due' | 'reported'>
}

/**
 * Reports the number of SDKs that are connected here to the database, for all instances: at most once a
 * second when it has changed, and periodically otherwise. Streams never wait for it; failed reports are
 * repeated.
 */
export function startStreamCountReports({
  counts,
  db,
  instance_id,
  keyCounts,
  log,
}: ReportDeps): StreamCountReports {
  let ticks = 0
  let running: Promise<void> | null = null
  let isFailing = false
  let closed = false

  async function report(tick: number): Promise<void> {
    const all = tick % HEARTBEAT_TICKS === 0
    const due = counts.due({ all })
    if (due.length > 0) {
      await storeStreamCounts(db, { instance_id, counts: due })
      counts.reported(due)
    }
    const dueKeys = keyCounts.due({ all })
    if (dueKeys.length > 0) {
      await storeKeyStreamCounts(db, { instance_id, counts: dueKeys })
      keyCounts.reported(dueKeys)
    }
    if (tick % PRUNE_TICKS === 0) await pruneStreamCounts(db)
    isFailing = false
  }

  const timer = setInterval(() => {
    ticks += 1
    running ??= report(ticks)
      .catch((err: unknown) => {
        if (!isFailing && !closed) log.warn({ err }, 'open streams could not be counted; retrying')
        isFailing = true
      })
      .finally(() => {
        running = null
      })
  }, TICK_MS)

  async function takeBack(): Promise<void> {
    await running
    await removeStreamCounts(db, instance_id)
  }

  return {
    async close() {
      closed = true
      clearInterval(timer)
      const takenBack = takeBack().catch((err: unknown) =>
        log.debug({ err }, 'the counts of this instance remain until they expire'),
      )
      await withTimeout(takenBack, CLOSE_MS)
    },
  }
}
