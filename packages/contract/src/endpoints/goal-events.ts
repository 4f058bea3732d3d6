import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { INGEST_BATCH_MAX, INGEST_BODY_MAX_BYTES } from '../limits.ts'
import { GoalEventInput, GoalEventSummary } from '../schemas/goal-event.ts'
import { listQuery } from './list-query.ts'
import { environmentParams } from './params.ts'
import { batchName } from './report-batch.ts'

export const goalEventEndpoints = {
  ingestGoalEvents: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/events',
    summary: 'Report actions of users',
    description:
      '204 means that they are stored. Events with an invalid key are skipped; an item of a wrong type refuses the whole batch, with its index. With a client key a batch has at most 1 MiB.',
    tag: 'Goal event',
    access: 'ingest',
    params: environmentParams,
    ...batchName,
    body: Type.Array(GoalEventInput),
    bodyMaxBytes: INGEST_BODY_MAX_BYTES,
    batchMax: INGEST_BATCH_MAX,
    ingest: true,
    cors: true,
    responses: { 204: null },
  }),
  listGoalEventKeys: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/events/keys',
    summary: 'Reported goals with their counts',
    description: 'Counts outlive the single events.',
    tag: 'Goal event',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(GoalEventSummary) },
    sends: ['X-Next-Cursor'],
    listedBy: 'event_key',
  }),
} as const
