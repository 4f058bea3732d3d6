import type { Kysely } from 'kysely'
import { recordAudit } from '../../changes/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { createRecorder } from '../../platform/concurrency/record-later.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { type SilentKey, storeKeyUse } from './queries.ts'

/** The precision of `last_used_at`: a key in constant use costs one write in this time. */
const USE_RECORDED_EVERY_MS = 60_000
/** A key that is used after this time without a use is an event (docs/reference/access.md). */
const SILENCE_MS = 30 * 24 * 60 * 60_000
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
    store: async (recorded) => {
      const uses = { uses: [...recorded], precisionMs: USE_RECORDED_EVERY_MS, silenceMs: SILENCE_MS }
      await recordSilent(db, await storeKeyUse(db, uses), clock.now().toISOString())
    },
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

async function recordSilent(db: Kysely<Database>, keys: readonly SilentKey[], now: string): Promise<void> {
  if (keys.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const { id, name, project_id, since } of keys) {
      await recordAudit(tx, {
        // Not of the environment: it would count towards its quota.
        ...{ project_id, environment_id: null, flag_key: '', before: null, after: null },
        action: 'auth.used_after_silence',
        actor_email: `sdk-key:${name}`,
        metadata: {
          origin: 'direct',
          resource: `sdk_key:${id}`,
          last_used_at: since,
        },
        trace: { credential: { kind: 'sdk_key', id } },
        now,
      })
    }
  })
}
