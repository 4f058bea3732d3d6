import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log.ts'
import { storeUse } from './queries.ts'

/** The precision of `last_used_at`: a token in constant use costs one write in this time. */
export const USE_RECORDED_EVERY_MS = 60_000

/** Records the use of tokens, without delaying the requests that use them. */
interface UseRecorder {
  record(token_id: number): void
  /** Resolves when everything recorded so far was stored, or storing it failed. */
  settled(): Promise<void>
}

interface UseRecorderDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Creates the recorder. It runs one statement at a time for everything that was recorded meanwhile, so that
 * many tokens cannot occupy the connections.
 */
export function createUseRecorder({ clock, db, log }: UseRecorderDeps): UseRecorder {
  const noted = new Set<number>()
  let storing: Promise<void> | null = null

  async function store(): Promise<void> {
    while (noted.size > 0) {
      const ids = [...noted]
      noted.clear()
      const now = clock.now()
      const staleBefore = new Date(now.getTime() - USE_RECORDED_EVERY_MS).toISOString()
      try {
        await storeUse(db, { ids, now: now.toISOString(), staleBefore })
      } catch (err) {
        // The next use is recorded again.
        log.warn({ err }, 'the last use of access tokens could not be stored')
      }
    }
    storing = null
  }

  return {
    record(token_id) {
      noted.add(token_id)
      storing ??= store()
    },
    async settled() {
      await storing
    },
  }
}
