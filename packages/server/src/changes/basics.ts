import type { Analyses } from '../platform/concurrency/analyses.ts'
import type { OpenedDataKey } from '../platform/crypto/data-key.ts'
import type { MigratedDatabase } from '../platform/db/open-database.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { ListDeps } from '../platform/replies/reply-with-list.ts'
import type { AccessChanges } from './access-changes.ts'
import type { Changefeed } from './changefeed.ts'
import type { WorkspaceWriteDeps } from './write-workspace.ts'

/** The parts that every domain is composed with. */
export interface Basics extends WorkspaceWriteDeps {
  readonly newId: () => string
  readonly log: Log
  readonly metrics: Metrics
  readonly database: MigratedDatabase
  readonly changefeed: Changefeed
  readonly accessChanges: AccessChanges
  readonly data_key: OpenedDataKey
  /** The secrets of the session seal, the current one first. */
  readonly sessionSecrets: readonly string[]
  /** The id of this instance among those that share the database. */
  readonly instance_id: string
  readonly lists: ListDeps
  readonly analyses: Analyses
}
