import type { Kysely } from 'kysely'
import { addUpStoredBytes } from '../changes/stored-bytes.ts'
import { pruneEvents } from '../notification/deliveries/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import { pruneBatchNames } from '../reporting/ingest/batch-queries.ts'
import { pruneUnknownFlags } from '../reporting/unknown-flags/index.ts'
import { type HistoryDeps, keepHistory } from './keep-history.ts'

const PRUNE_EVERY_MS = 10 * 60_000
/** The age at which events are pruned. Until then they can be sent again. */
const EVENTS_KEPT_MS = 7 * 24 * 60 * 60_000
/** The rows of one step: small, without long transactions and locks. */
const ROWS_PER_BITE = 5_000

export interface Pruning {
  close(): Promise<void>
}

interface PruneDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  /** Removes other expired rows, such as ended sessions. `now` is ISO 8601. */
  readonly pruneOthers: (now: string) => Promise<void>
  readonly history: Pick<HistoryDeps, 'auditRetentionDays' | 'historyRetentionDays' | 'load'>
}

/**
 * Removes expired rows, and sums up pending counts, periodically. Every instance does; deleting twice is
 * harmless.
 */
export function startPruning(deps: PruneDeps): Pruning {
  let running: Promise<void> | null = null
  let closed = false

  async function prune(): Promise<void> {
    const now = deps.clock.now()
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
    await deps.pruneOthers(now.toISOString())
    await addUpStoredBytes(deps.db)
    await history()
    await inBites((rows) => pruneUnknownFlags(deps.db, rows))
    await inBites((rows) => pruneBatchNames(deps.db, rows))
    await inBites((rows) => pruneEvents(deps.db, ago(EVENTS_KEPT_MS), rows))
  }

  const history = () =>
    keepHistory({ ...deps.history, db: deps.db, clock: deps.clock, isClosed: () => closed })

  async function inBites(bite: (rows: number) => Promise<number>): Promise<void> {
    while (!closed && (await bite(ROWS_PER_BITE)) === ROWS_PER_BITE);
  }

  function run(work: () => Promise<void>): void {
    running ??= work()
      .catch((err: unknown) => deps.log.warn({ err }, 'old rows could not be removed'))
      .finally(() => {
        running = null
      })
  }

  // At once: an environment from before the upgrade has no history until then.
  run(history)
  const timer = setInterval(() => run(prune), PRUNE_EVERY_MS)

  return {
    async close() {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}
