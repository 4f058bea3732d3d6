import { startAnchorLog, startAuditKeeping } from '../governance/audit/index.ts'
import { pruneSessions } from '../identity/auth/index.ts'
import { pruneLinks } from '../identity/link-rows/index.ts'
import { pruneFailures } from '../identity/passwords/index.ts'
import { pruneChallenges } from '../identity/second-factors/index.ts'
import { pruneLoginStates, pruneLogoutTokens } from '../identity/single-sign-on/index.ts'
import { createExceededBoundsLog } from '../insight/exceeded-bounds/index.ts'
import { measurePool } from '../platform/db/measure-pool.ts'
import type { MigratedDatabase } from '../platform/db/open-database.ts'
import { measureProcess } from '../platform/metrics/measure-process.ts'
import type { Config } from '../platform/settings/config.ts'
import { startPartitionKeeping } from '../reporting/ingest/keep-partitions.ts'
import { startReportRemoval } from '../reporting/ingest/remove-deleted-reports.ts'
import { continueDeletions } from '../reporting/report-deletions/index.ts'
import { startStreamCountReports } from '../serving/connections/index.ts'
import { loadWireFlags } from '../targeting/flags/index.ts'
import type { Parts } from './create-parts.ts'
import { measureQueues } from './measure-queues.ts'
import { startPruning } from './prune.ts'

interface Workers {
  /** Starts what waits until the server listens. */
  onListening(): void
  /**
   * Resolves when every worker has finished its current work. Deliveries are closed separately, with their
   * own time.
   */
  close(): Promise<unknown>
}

/** Starts what runs without a request: live updates, schedules, deliveries, retention and measurements. */
export async function startWorkers(
  config: Config,
  parts: Parts,
  { db, ownerConnection, pool }: MigratedDatabase,
): Promise<Workers> {
  const { access, clock, deliveries, hashUser, links, live, log, metrics, partitions, scheduler } = parts
  const keeping = await startPartitionKeeping(
    { clock, log, partitions },
    { retentionDays: config.impressionRetentionDays, seenUsersDays: config.seenUsersDays },
  )
  const audit = await startAuditKeeping(
    { connection: ownerConnection, clock, log },
    { retentionDays: config.auditRetentionDays },
  )
  const anchors = startAnchorLog({ clock, db, log })
  measurePool(metrics, pool, config.dbMaxConnections)
  measureQueues(metrics, db)
  const measuring = measureProcess(metrics)
  await live.start({
    onAccessChanged: access.keys.clear,
    onGroupsChanged: links.groupChanges.wake,
    readable: access.readable,
    review: access.review,
  })
  scheduler.start()
  deliveries.start()
  const pruning = startPruning({
    db,
    clock,
    log,
    pruneOthers: async (now) => {
      await pruneSessions(db, now)
      await pruneChallenges(db, now)
      await pruneFailures(db, now)
      await pruneLoginStates(db, now)
      await pruneLogoutTokens(db, now)
      await pruneLinks(db, now)
    },
    history: {
      auditRetentionDays: config.auditRetentionDays,
      historyRetentionDays: config.historyRetentionDays,
      load: (environment_id) => loadWireFlags(db, environment_id),
    },
  })
  const reports = startStreamCountReports({ ...parts.streamCounts, log })
  parts.clientStore.start()
  parts.seenUsers.start()
  const removal = startReportRemoval({
    db,
    log,
    continueDeletions: (isClosed) => continueDeletions({ db, hashUser }, isClosed),
  })
  const exceeded = createExceededBoundsLog(parts)
  return {
    onListening: exceeded.start,
    close() {
      measuring.close()
      const others = [parts.clientStore, parts.impacts, parts.seenUsers, keeping, audit, anchors, removal]
      const running = [scheduler, live, pruning, reports, exceeded, ...others]
      return Promise.all(running.map((worker) => worker.close()))
    },
  }
}
