import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log.ts'
import { waitAtMost } from '../../platform/wait-at-most.ts'
import { pruneStreamCounts, removeStreamCounts, storeStreamCounts } from './queries.ts'
import type { StreamCounts } from './stream-counts.ts'

const TICK_MS = 1_000
/** Every 5 s what has not changed is said again: an instance that is silent for 15 s is not counted. */
const HEARTBEAT_TICKS = 5
const PRUNE_TICKS = 15
/** A database that does not answer must not hold a shutdown up. */
const CLOSE_MS = 1_000

export interface StreamCountReports {
  close(): Promise<void>
}

export interface ReportDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  /** This instance's, among all that share the database. */
  readonly instance_id: string
  readonly counts: Pick<StreamCounts, 'due' | 'reported'>
}

/**
 * Tells the database, for all instances to see, how many SDKs are connected here: once a second at most, when something
 * has changed, and now and then that it is still so. Streams never wait for it; what could not be told is told later.
 */
export function startStreamCountReports({ counts, db, instance_id, log }: ReportDeps): StreamCountReports {
  let ticks = 0
  let running: Promise<void> | null = null
  let isFailing = false
  let closed = false

  async function report(tick: number): Promise<void> {
    const due = counts.due({ all: tick % HEARTBEAT_TICKS === 0 })
    if (due.length > 0) {
      await storeStreamCounts(db, { instance_id, counts: due })
      counts.reported(due)
    }
    if (tick % PRUNE_TICKS === 0) await pruneStreamCounts(db)
    isFailing = false
  }

  const timer = setInterval(() => {
    ticks += 1
    running ??= report(ticks)
      .catch((err: unknown) => {
        if (!isFailing && !closed) log.warn({ err }, 'open streams could not be counted; trying again')
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
        log.debug({ err }, 'the counts of this instance stay until they are old'),
      )
      await waitAtMost(CLOSE_MS, takenBack)
    },
  }
}
