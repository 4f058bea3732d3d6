import type { Kysely } from 'kysely'
import { pruneChanges } from '../changes/index.ts'
import { pruneEvents } from '../features/deliveries/index.ts'
import { pruneUnknownFlags } from '../features/unknown-flags/index.ts'
import type { Clock } from '../platform/clock.ts'
import { addUpStoredBytes } from '../platform/db/stored-bytes.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'

const PRUNE_EVERY_MS = 10 * 60_000
/** The age at which changes are pruned. An instance that is further behind loads its environments again. */
const CHANGES_KEPT_MS = 24 * 60 * 60_000
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
    await inBites((rows) => pruneChanges(deps.db, ago(CHANGES_KEPT_MS), rows))
    await inBites((rows) => pruneUnknownFlags(deps.db, rows))
    await inBites((rows) => pruneEvents(deps.db, ago(EVENTS_KEPT_MS), rows))
  }

  async function inBites(bite: (rows: number) => Promise<number>): Promise<void> {
    while (!closed && (await bite(ROWS_PER_BITE)) === ROWS_PER_BITE);
  }

  const timer = setInterval(() => {
    running ??= prune()
      .catch((err: unknown) => deps.log.warn({ err }, 'old rows could not be removed'))
      .finally(() => {
        running = null
      })
  }, PRUNE_EVERY_MS)

  return {
    async close() {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}
