import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log.ts'
import { createRecorder } from '../../platform/record-later.ts'
import { storeKeyUse } from './queries.ts'

/** The precision of `last_used_at`: a key in constant use costs one write in this time. */
const USE_RECORDED_EVERY_MS = 60_000
/** The keys whose latest record is remembered. With more of them some are recorded more often. */
const REMEMBERED_MAX = 20_000

/** Records the use of SDK keys: the requests that they send, and the end of their streams. */
export interface KeyUses {
  /** Costs one look-up while the use of the last minute is known. The legacy key, null, has no record. */
  record(key_id: number | null): void
  /** Resolves when the uses recorded so far are stored. */
  stored(): Promise<void>
}

interface KeyUsesDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
}

export function createKeyUses({ clock, db, log }: KeyUsesDeps): KeyUses {
  const recorder = createRecorder<number, string>({
    log,
    what: 'the last use of SDK keys',
    store: (recorded) => storeKeyUse(db, { uses: [...recorded], precisionMs: USE_RECORDED_EVERY_MS }),
  })
  /** The monotonic time of the latest record, by key. */
  const recordedMs = new Map<number, number>()
  return {
    record(key_id) {
      if (key_id === null) return
      const nowMs = clock.monotonicMs()
      const latestMs = recordedMs.get(key_id)
      if (latestMs !== undefined && nowMs - latestMs < USE_RECORDED_EVERY_MS) return
      if (recordedMs.size >= REMEMBERED_MAX) recordedMs.clear()
      recordedMs.set(key_id, nowMs)
      recorder.record(key_id, clock.now().toISOString())
    },
    stored: recorder.settled,
  }
}
