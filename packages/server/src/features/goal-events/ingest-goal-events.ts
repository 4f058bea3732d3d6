import { reportHash } from '../../platform/crypto/report-hash.ts'
import { createReportIngest, type IngestDeps } from '../../platform/report-ingest.ts'
import { countGoalEvents } from './count-goal-events.ts'
import type { GoalEventBatch } from './goal-event-batch.ts'
import { insertGoalEvents } from './queries.ts'

/** Stores batches, each together with others of its environment (`createReportIngest`). */
export const createGoalEventIngest = (deps: IngestDeps) =>
  createReportIngest(deps, {
    group: 'goal-events',
    kind: 'goal_event',
    rowsOf: ({ events }: GoalEventBatch) => events,
    prepare: (events) => {
      const counts = countGoalEvents(events, reportHash)
      return (tx, at) => insertGoalEvents(tx, at, events, counts)
    },
  })
