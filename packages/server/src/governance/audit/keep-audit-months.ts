import { AUDIT_CONNECTIONS } from '../../changes/audit-partitions.ts'
import { dropAuditMonths } from '../../changes/drop-audit-months.ts'
import { makeAuditMonths } from '../../changes/make-audit-months.ts'
import { addUpStoredBytes } from '../../changes/stored-bytes.ts'
import { dayOf, dayText } from '../../kernel/utc-day.ts'
import type { Clock } from '../../platform/clock.ts'
import { connectDatabase, type DatabaseConnection, type OpenDatabase } from '../../platform/db/connect.ts'
import type { Log } from '../../platform/log/log.ts'

const EVERY_MS = 10 * 60_000

export interface AuditKeeping {
  close(): Promise<void>
}

interface KeepDeps {
  /** A connection as the owner of the tables. */
  readonly connection: DatabaseConnection
  readonly clock: Clock
  readonly log: Log
}

/**
 * Creates future months of the audit log and drops those older than `retentionDays`, now and periodically.
 * Every instance does; the database admits one at a time. Resolves when the first months were created, or
 * failed: entries can be stored without them. Dropping is not awaited.
 */
export async function startAuditKeeping(
  { clock, connection, log }: KeepDeps,
  { retentionDays }: { readonly retentionDays: number | null },
): Promise<AuditKeeping> {
  let closed = false
  /**
   * Runs the work with connections of its own: they would be idle for hours, and counting a large month may
   * take longer than a request.
   */
  async function connected(work: (db: OpenDatabase['db']) => Promise<void>): Promise<void> {
    const maintenance = connectDatabase({
      connection,
      max_connections: AUDIT_CONNECTIONS,
      log,
      longRunning: true,
    })
    try {
      await work(maintenance.db)
    } catch (err) {
      log.warn({ err }, 'months of the audit log could not be created or dropped; retrying')
    } finally {
      await maintenance.close()
    }
  }

  async function drop(): Promise<void> {
    if (retentionDays === null) return
    const beforeDay = dayText(dayOf(clock.now().getTime()) - retentionDays)
    await connected(async (db) => {
      const entries = await dropAuditMonths(db, { beforeDay, isClosed: () => closed })
      if (entries > 0) await addUpStoredBytes(db)
      if (entries > 0) log.info({ entries, before_day: beforeDay }, 'dropped old months of the audit log')
    })
  }

  let running: Promise<void> | null = null
  function run(work: () => Promise<void>): void {
    running ??= work().finally(() => {
      running = null
    })
  }

  await connected(makeAuditMonths)
  run(drop)
  const timer = setInterval(() => run(() => connected(makeAuditMonths).then(drop)), EVERY_MS)
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}
