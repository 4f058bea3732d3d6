import type { goalEventEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { readArrival } from '../ingest/arrival.ts'
import type { IngestDeps } from '../ingest/report-ingest.ts'
import { prepareReports } from '../ingest/report-steps.ts'
import { toGoalEventBatch } from './goal-event-batch.ts'
import { createGoalEventIngest } from './ingest-goal-events.ts'
import { listGoals } from './queries.ts'

export function goalEventHandlers(deps: IngestDeps): EndpointHandlers<typeof goalEventEndpoints> {
  const { budget, clock, db } = deps
  const ingest = createGoalEventIngest(deps)
  return {
    async ingestGoalEvents({ actor, body, headers, query, scope }) {
      budget.spend(actor, body.length)
      const arrival = readArrival(clock, { actor, headers, query })
      const batch = await prepareReports(body.length, toGoalEventBatch(body, arrival))
      if (batch.rows > 0) await ingest(scope.environment.id, batch)
      return { status: 204, body: null }
    },
    async listGoalEventKeys({ scope }) {
      return { status: 200, body: await listGoals(db, scope.environment.id) }
    },
  }
}
