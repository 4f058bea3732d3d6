import type { Kysely } from 'kysely'
import { Refusal } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import {
  cutImpact,
  type ImpactOf,
  type RecordedChange,
  type RecordImpact,
  type Subject,
  storeImpact,
} from '../../targeting/stored-impacts/index.ts'

/** Stores the impact of changes when they are made. */
export interface ImpactRecorder {
  /** Computes and stores the impact in the background; does nothing beyond the bound of those that wait. */
  readonly record: RecordImpact
  /** Resolves when the impact of a subject is stored, at once where none is computed, or after a second. */
  settle(subject: Subject): Promise<void>
  /** Ends the recorder. Resolves when nothing is computed any more. */
  close(): Promise<void>
}

interface RecorderDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly impactOf: ImpactOf
}

/** The caller of all computations in the background. */
const CALLER = 'recorder'
/** The impacts that wait. The review of a change computes its impact in any case. */
const WAITING_MAX = 100
const SETTLE_MS = 1000

export function createImpactRecorder({ clock, db, impactOf, log }: RecorderDeps): ImpactRecorder {
  const waiting = new Map<Subject, Promise<void>>()
  let isClosed = false
  let last: Promise<void> = Promise.resolve()

  async function compute({ change, environment_id, project_id, subject }: RecordedChange): Promise<void> {
    if (isClosed) return
    try {
      const impact = await cutImpact(
        await impactOf({ caller: CALLER, project_id, environment_id, changes: [change] }),
      )
      const computed_at = clock.now().toISOString()
      if (!isClosed) await storeImpact(db, { environment_id, subject, impact, computed_at })
    } catch (err) {
      // The change was decided or does not fit any more, or its environment was deleted.
      if (!(err instanceof Refusal)) log.warn({ err, subject }, 'the impact of a change was not stored')
    }
  }

  return {
    record(recorded) {
      const { subject } = recorded
      if (isClosed || waiting.size >= WAITING_MAX || waiting.has(subject)) return
      last = last.then(() => compute(recorded)).finally(() => waiting.delete(subject))
      waiting.set(subject, last)
    },
    async settle(subject) {
      await withTimeout(waiting.get(subject) ?? Promise.resolve(), SETTLE_MS)
    },
    async close() {
      isClosed = true
      await last
    },
  }
}
