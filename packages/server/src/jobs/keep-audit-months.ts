import type { Kysely } from 'kysely'
import { dropAuditMonths, makeAuditMonths } from '../changes/index.ts'
import { dayOf, dayText } from '../kernel/report-time.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'

const EVERY_MS = 60 * 60_000

export interface AuditKeeping {
  close(): Promise<void>
}

interface KeepDeps {
  /** The owner of the tables: no other role may call the functions that this job calls. */
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Makes the partitions of the audit log ahead and drops the months that are older than `retention_days`, at once and every hour. Every
 * instance does; the database lets one at a time.
 */
export function startAuditKeeping(
  { clock, db, log }: KeepDeps,
  { retention_days }: { readonly retention_days: number | null },
): AuditKeeping {
  async function keep(): Promise<void> {
    await makeAuditMonths(db)
    if (retention_days === null) return
    const before_day = dayText(dayOf(clock.now().getTime()) - retention_days)
    const entries = await dropAuditMonths(db, before_day)
    if (entries > 0) log.info({ entries, before_day }, 'dropped old months of the audit log')
  }

  let running: Promise<void> | null = null
  function run(): void {
    running ??= keep()
      .catch((err: unknown) =>
        log.warn({ err }, 'months of the audit log could not be made or dropped; trying again'),
      )
      .finally(() => {
        running = null
      })
  }

  run()
  const timer = setInterval(run, EVERY_MS)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
