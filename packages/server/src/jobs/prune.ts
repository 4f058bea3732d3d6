import type { Kysely } from 'kysely'
import { pruneChanges } from '../changes/index.ts'
import { pruneEvents } from '../features/deliveries/index.ts'
import type { Clock } from '../platform/clock.ts'
import { addUpStoredBytes } from '../platform/db/stored-bytes.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'

const PRUNE_EVERY_MS = 10 * 60_000
/** An instance that lags further behind than this loads its environments anew. */
const CHANGES_KEPT_MS = 24 * 60 * 60_000
/** As long an event can be sent again. */
const EVENTS_KEPT_MS = 7 * 24 * 60 * 60_000
/** Small bites: no long transaction, no long lock. */
const ROWS_PER_BITE = 5_000

export interface Pruning {
  close(): Promise<void>
}

interface PruneDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  /** Removes what else has had its time, such as ended sessions; `now` is ISO-8601. */
  readonly pruneOthers: (now: string) => Promise<void>
}

/** Removes rows that have had their time, and adds up what was counted, now and then. Every instance does; deleting twice harms nothing. */
export function startPruning(deps: PruneDeps): Pruning {
  let running: Promise<void> | null = null
  let closed = false

  async function prune(): Promise<void> {
    const now = deps.clock.now()
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
    await deps.pruneOthers(now.toISOString())
    await addUpStoredBytes(deps.db)
    await inBites((rows) => pruneChanges(deps.db, ago(CHANGES_KEPT_MS), rows))
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
