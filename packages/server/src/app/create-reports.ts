import type { Kysely } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { OpenedDataKey } from '../platform/crypto/data-key.ts'
import type { MigratedDatabase } from '../platform/db/open-database.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Config } from '../platform/settings/config.ts'
import { createImpressionIngest } from '../reporting/impressions/index.ts'
import { createIngest } from '../reporting/ingest/create-ingest.ts'
import { openUserHash } from '../reporting/ingest/open-user-hash.ts'
import { createReportPartitions } from '../reporting/ingest/report-partitions.ts'
import { createSeenUsers } from '../reporting/seen-users/index.ts'
import { createUnknownFlagStore } from '../reporting/unknown-flags/index.ts'

interface ReportsDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly database: MigratedDatabase
  readonly data_key: OpenedDataKey
}

/** Creates what stores the reports of SDKs. */
export async function createReports(
  config: Config,
  { clock, data_key, database, db, log, metrics }: ReportsDeps,
) {
  const partitions = createReportPartitions(database.maintenance)
  const hashUser = await openUserHash({ db, connection: database.ownerConnection, log, data_key })
  const ingest = createIngest(config, { db, clock, metrics, partitions, hashUser })
  const seenUsers = createSeenUsers({ db, log, partitions }, { usersMax: config.seenUsersMax })
  const ingestImpressions = createImpressionIngest({ ...ingest.impressions, onSeen: seenUsers.see })
  const storeUnknown = createUnknownFlagStore(ingest.unknown_flags)
  const { budget } = ingest.unknown_flags
  return { budget, storeUnknown, partitions, hashUser, ingest, ingestImpressions, seenUsers }
}
