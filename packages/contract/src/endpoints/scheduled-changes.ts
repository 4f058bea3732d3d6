import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { OpenedChangeRequest } from '../schemas/change-request.ts'
import { commentQuery } from '../schemas/comment.ts'
import { CreatedScheduledChange, ScheduledChange, ScheduledChangeInput } from '../schemas/scheduled-change.ts'
import { listQuery } from './list-query.ts'
import { environmentParams, keyedParams, scheduledChangeParams } from './params.ts'

const impactQuery = {
  impact: Type.Optional(
    Type.Boolean({ description: 'Adds the `impact` that was stored with each change when true' }),
  ),
}

export const scheduledChangeEndpoints = {
  listScheduledChanges: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/scheduled-changes',
    summary: 'Scheduled changes in the order of their time, executed ones included',
    description:
      'Executed changes have `executed_at`, and `error` when the patch did not fit any more. A pending change with an `error` failed on the server and is retried.',
    tag: 'Scheduled change',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      unapproved: Type.Optional(
        Type.Boolean({ description: 'Only pending changes that were never approved when true' }),
      ),
      ...impactQuery,
      ...listQuery,
    }),
    responses: { 200: Type.Array(ScheduledChange) },
    sends: ['X-Next-Cursor'],
  }),
  listFlagScheduledChanges: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags/:key/scheduled-changes',
    summary: 'Scheduled changes of one flag in the order of their time',
    description: 'Executed changes are included.',
    tag: 'Scheduled change',
    access: 'read_environment',
    addresses: 'flag',
    params: keyedParams,
    query: Type.Object({ ...impactQuery, ...listQuery }),
    responses: { 200: Type.Array(ScheduledChange) },
    sends: ['X-Next-Cursor'],
  }),
  createScheduledChange: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/:key/scheduled-changes',
    summary: 'Patch a flag at a later time',
    description:
      'The patch is validated now, and again when it is due. A past time means immediately. A time that is past or within a minute needs the permission `write_flags` too (403), unless a reviewer decides. When every change needs approval, a change request is opened (202).',
    tag: 'Scheduled change',
    access: 'write_schedules',
    addresses: 'flag',
    params: keyedParams,
    body: ScheduledChangeInput,
    responses: { 200: CreatedScheduledChange, 202: OpenedChangeRequest },
  }),
  deleteScheduledChange: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/scheduled-changes/:id',
    summary: 'Withdraw a scheduled change that has not run',
    description:
      'The flag does not change. Where every change needs approval, withdrawing an approved one becomes a change request.',
    tag: 'Scheduled change',
    access: 'write_schedules',
    addresses: 'scheduled_change',
    params: scheduledChangeParams,
    query: commentQuery,
    responses: { 204: null, 202: OpenedChangeRequest },
    refusals: {
      404: 'There is no such change, or it was executed',
    },
  }),
} as const
