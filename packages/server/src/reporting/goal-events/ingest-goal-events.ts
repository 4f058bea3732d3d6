import { inTurns } from '../../platform/concurrency/turns.ts'
import { createReportIngest, type IngestDeps } from '../ingest/report-ingest.ts'
import { createEventKeyAdmission } from './admit-event-keys.ts'
import { countGoalEvents } from './count-goal-events.ts'
import { removeDeletedRollups } from './deletion-queries.ts'
import type { GoalEventBatch } from './goal-event-batch.ts'
import { insertGoalEvents } from './queries.ts'

/**
 * Creates the function that stores batches, each together with others of its environment
 * (`createReportIngest`).
 */
export function createGoalEventIngest(deps: IngestDeps) {
  const { hashUser } = deps
  const keys = createEventKeyAdmission()
  return createReportIngest<GoalEventBatch>(deps, {
    group: 'goal-events',
    kind: 'goal_event',
    async prepare(environment_id, batches) {
      const unknown = keys.findUnknown(environment_id, batches)
      const reported = batches.flatMap(({ events }) => events)
      // Usually nothing has to be renamed, and counting need not wait for the lock.
      const counted = unknown.length === 0 ? await inTurns(countGoalEvents(reported, hashUser)) : null
      let admitted: readonly string[] = []
      return {
        async store(tx, at) {
          const named = counted === null ? await keys.admit(tx, at, batches, unknown) : null
          admitted = named?.admitted ?? []
          const events = named?.events ?? reported
          const counts = counted ?? (await inTurns(countGoalEvents(events, hashUser)))
          if (at.drawn.is_deleting) await removeDeletedRollups(tx, at.environment_id, counts)
          await insertGoalEvents(tx, at, events, counts)
        },
        onCommitted: () => keys.remember(environment_id, admitted),
      }
    },
  })
}
