import type { Kysely } from 'kysely'
import type { WireFlag } from '../kernel/wire-flag.ts'
import type { Clock } from '../platform/clock.ts'
import { inBites, runPeriodically } from '../platform/concurrency/run-periodically.ts'
import type { Database } from '../platform/db/tables.ts'
import { moveHistoryHorizon } from '../platform/db/workspace-row.ts'
import type { Log } from '../platform/log/log.ts'
import { beginHistory, joinOldChunks, listWithoutHistory, pruneHistory } from './history-pruning-queries.ts'
import { addUpStoredBytes } from './stored-bytes.ts'

const EVERY_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** The days before a month of the audit log is dropped in which flags stop to refer to its chunks. */
const JOINED_DAYS_BEFORE = 7
/** The flags of one statement, which may be large. */
const JOINED_AT_ONCE = 20
const PRUNED_AT_ONCE = 5_000

interface HistoryDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'now'>
  /** The days that the history is kept; 0 for ever. */
  readonly historyRetentionDays: number
  /** The days that the audit log is kept, whose chunks the history shares; null for ever. */
  readonly auditRetentionDays: number | null
  /** Loads the flags of an environment as its SDKs have them. */
  readonly load: (
    environment_id: string,
  ) => Promise<{ readonly revision: number; readonly flags: readonly WireFlag[] } | null>
  readonly isClosed: () => boolean
}

/**
 * Keeps the history, and adds up the bytes that writes have stored, now and then. Every instance does; doing
 * it twice is harmless.
 */
export function startHistoryKeeping({ log, ...deps }: Omit<HistoryDeps, 'isClosed'> & { readonly log: Log }) {
  const failure = 'the history was not brought up to date'
  const keeping = runPeriodically({ log, everyMs: EVERY_MS, failure }, async (isClosed) => {
    // First the history: an environment from before the upgrade has none until then.
    await keepHistory({ ...deps, isClosed })
    await addUpStoredBytes(deps.db)
  })
  keeping.run()
  return keeping
}

/** Begins the history of environments from before the upgrade, and removes what is past the horizon. */
export async function keepHistory(deps: HistoryDeps): Promise<void> {
  const { auditRetentionDays, db, historyRetentionDays, isClosed } = deps
  for (const environment_id of await listWithoutHistory(db)) await begin(deps, environment_id)
  const ago = (days: number) => new Date(deps.clock.now().getTime() - days * DAY_MS).toISOString()
  if (auditRetentionDays !== null) {
    // A month is dropped when its last day is older than the retention.
    const day = ago(auditRetentionDays - JOINED_DAYS_BEFORE).slice(0, 8)
    await inBites(JOINED_AT_ONCE, isClosed, (rows) => joinOldChunks(db, `${day}01`, rows))
  }
  if (historyRetentionDays === 0) return
  const horizon = ago(historyRetentionDays)
  // First the horizon: what is read after the removal is checked against it.
  await moveHistoryHorizon(db, horizon)
  await inBites(PRUNED_AT_ONCE, isClosed, (rows) => pruneHistory(db, horizon, rows))
}

/** Writes may come between loading and storing: then it loads again. */
async function begin({ db, isClosed, load }: HistoryDeps, environment_id: string): Promise<void> {
  while (!isClosed()) {
    const loaded = await load(environment_id)
    if (!loaded || (await beginHistory(db, { environment_id, ...loaded }))) return
  }
}
