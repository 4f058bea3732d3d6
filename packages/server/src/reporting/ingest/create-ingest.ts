import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { HashUser } from '../../platform/crypto/user-hash.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Config } from '../../platform/settings/config.ts'
import { createGroupedWrites } from './grouped-writes.ts'
import { countIngestRows } from './measure-ingest.ts'
import { createReportBudget } from './report-budget.ts'
import type { ReportPartitions } from './report-partitions.ts'

/** The rows of a group: eight full batches, about 0.1 s of work. */
const ROWS_PER_GROUP = 4_000
const BYTES_PER_GROUP = 16 * 1024 * 1024
/**
 * The rows that may be pending: some seconds of work. Beyond it the response is 503, so that memory does not
 * grow when the database is too slow.
 */
const ROWS_MAX = 100_000
const BYTES_MAX = 64 * 1024 * 1024
/** The environments that are stored concurrently. */
const LANES_MAX = 4

/** Creates the ingest of impressions, goal events and unknown flags. They share one limit of pending rows. */
export function createIngest(
  {
    clientReportsPerMinute: perMinute,
    dbMaxConnections,
  }: Pick<Config, 'clientReportsPerMinute' | 'dbMaxConnections'>,
  {
    metrics,
    ...deps
  }: {
    readonly db: Kysely<Database>
    readonly clock: Clock
    readonly metrics: Metrics
    readonly partitions: ReportPartitions
    readonly hashUser: HashUser
  },
) {
  const countRows = countIngestRows(metrics)
  const shared = { ...deps, budget: createReportBudget(deps, { perMinute }) }
  const groups = createGroupedWrites({
    // Other requests need connections as well.
    lanes: Math.max(1, Math.min(LANES_MAX, Math.floor(dbMaxConnections / 2))),
    rowsPerGroup: ROWS_PER_GROUP,
    bytesPerGroup: BYTES_PER_GROUP,
    rowsMax: ROWS_MAX,
    bytesMax: BYTES_MAX,
  })
  return {
    unknown_flags: { ...shared, groups },
    impressions: { ...shared, groups, countRows: (rows: number) => countRows({ kind: 'impression' }, rows) },
    goal_events: { ...shared, groups, countRows: (rows: number) => countRows({ kind: 'goal_event' }, rows) },
  }
}
