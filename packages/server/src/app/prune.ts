import type { Clock } from '../platform/clock.ts'
import type { PruneRow } from '../platform/composition.ts'
import { inBites, runPeriodically } from '../platform/concurrency/run-periodically.ts'
import type { Log } from '../platform/log/log.ts'

const PRUNE_EVERY_MS = 10 * 60_000
/** The rows of one step: small, without long transactions and locks. */
const ROWS_PER_BITE = 5_000

/** Removes expired rows periodically. Every instance does; deleting twice is harmless. */
export const startPruning = (
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  rows: readonly PruneRow[],
) =>
  runPeriodically(
    { log, everyMs: PRUNE_EVERY_MS, failure: 'old rows could not be removed' },
    async (isClosed) => {
      const now = clock.now()
      for (const row of rows) await inBites(ROWS_PER_BITE, isClosed, (limit) => row.remove(now, limit))
    },
  )
