import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { findDeletedEnvironment, removeSomeReports } from './removal-queries.ts'

const EVERY_MS = 2_000
/** The rows of one step: small, without long transactions and locks. */
const ROWS_PER_BITE = 5_000

export interface ReportRemoval {
  close(): Promise<void>
}

interface RemovalDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  /** Continues deletions by admins (`reporting/report-deletions`). */
  readonly continueDeletions: (isClosed: () => boolean) => Promise<void>
}

/**
 * Removes the reports of deleted environments in steps, now and after every deletion, on any instance. One
 * instance at a time does it. It also continues the deletions by admins.
 */
export function startReportRemoval({ continueDeletions, db, log }: RemovalDeps): ReportRemoval {
  let running: Promise<void> | null = null
  let closed = false

  async function remove(): Promise<void> {
    for (;;) {
      const environment_id = closed ? null : await findDeletedEnvironment(db)
      if (environment_id === null) break
      const left = await removeSomeReports(db, { environment_id, limit: ROWS_PER_BITE })
      if (left === 'busy') break
    }
    await continueDeletions(() => closed)
  }

  const timer = setInterval(() => {
    running ??= remove()
      .catch((err: unknown) => log.warn({ err }, 'deleted reports could not be removed; retrying'))
      .finally(() => {
        running = null
      })
  }, EVERY_MS)

  return {
    async close() {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}
