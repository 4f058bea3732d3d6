import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { HashUser } from '../platform/crypto/user-hash.ts'
import type { ReportPartitions } from '../platform/db/report-partitions.ts'
import type { Database } from '../platform/db/tables.ts'
import { createGroupedWrites } from '../platform/grouped-writes.ts'
import { countIngestRows } from '../platform/measure-ingest.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createReportBudget } from '../platform/report-budget.ts'

/** Eight full batches, some 0.1 s of work. */
const ROWS_PER_GROUP = 4_000
const BYTES_PER_GROUP = 16 * 1024 * 1024
/** Some seconds of work. What comes beyond is answered 503: memory must not grow with what a database cannot take. */
const ROWS_MAX = 100_000
const BYTES_MAX = 64 * 1024 * 1024
/** Environments that are stored side by side. */
const LANES_MAX = 4

/** What the ingest of impressions and of goal events needs; both share what one instance may have waiting. */
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
    // Others need connections as well.
    lanes: Math.max(1, Math.min(LANES_MAX, Math.floor(dbMaxConnections / 2))),
    rowsPerGroup: ROWS_PER_GROUP,
    bytesPerGroup: BYTES_PER_GROUP,
    rowsMax: ROWS_MAX,
    bytesMax: BYTES_MAX,
  })
  return {
    impressions: { ...shared, groups, countRows: (rows: number) => countRows({ kind: 'impression' }, rows) },
    goal_events: { ...shared, groups, countRows: (rows: number) => countRows({ kind: 'goal_event' }, rows) },
  }
}
