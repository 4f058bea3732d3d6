import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { HISTORY_LIMIT_MAX } from '../limits.ts'
import { OpenedChangeRequest } from '../schemas/change-request.ts'
import { Commented, CommentInput, commentQuery } from '../schemas/comment.ts'
import { uuid } from '../schemas/common.ts'
import { FlagInput, FlagPatch, ListedFlag, PromoteInput, ReadFlag, WrittenFlag } from '../schemas/flag.ts'
import { BulkInput, BulkResult } from '../schemas/flag-bulk.ts'
import { FlagComparison } from '../schemas/flag-comparison.ts'
import { FlagHistoryEntry, RestoreInput } from '../schemas/flag-history.ts'
import { FlagPreview } from '../schemas/flag-preview.ts'
import { ifMatch } from './if-match.ts'
import { cursorQuery, listQuery } from './list-query.ts'
import { environmentParams, keyedParams, maxChangedUsers, projectParams } from './params.ts'

/** The headers of writes that create or replace: `If-None-Match` limits them to creating. */
const ifMatchOrNone = Type.Object({
  ...ifMatch.properties,
  'If-None-Match': Type.Optional(
    Type.String({
      description: '`*` creates only: where the key exists, nothing is replaced and the response is 412',
      examples: ['*'],
    }),
  ),
})

export const flagEndpoints = {
  listFlags: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags',
    summary: "An environment's flags, segment references unexpanded",
    tag: 'Flag',
    description: 'Archived flags are included unless `archived=false`. Filters are combined with AND.',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      archived: Type.Optional(Type.Boolean({ description: 'Only archived flags, or only active ones' })),
      tag: Type.Optional(Type.String({ description: 'Flags with exactly this tag' })),
      owner_email: Type.Optional(Type.String({ description: 'Flags of this owner, ignoring case' })),
      q: Type.Optional(Type.String({ description: 'A part of the key or the description, ignoring case' })),
      ...listQuery,
    }),
    responses: { 200: Type.Array(ListedFlag) },
    sends: ['X-Next-Cursor'],
  }),
  getFlag: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'One flag',
    description:
      'Segment references are not expanded. Writes accept the ETag as If-Match. `warnings` are those that a write of the flag as it is would have.',
    tag: 'Flag',
    access: 'read_environment',
    addresses: 'flag',
    params: keyedParams,
    responses: { 200: ReadFlag },
    sends: ['ETag'],
  }),
  putFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags',
    summary: 'Create a flag, or replace all of it when the key exists',
    description:
      'Missing fields have their defaults, also when a flag is replaced. An archived flag is unarchived.',
    tag: 'Flag',
    access: 'write_flags',
    params: environmentParams,
    headers: ifMatchOrNone,
    body: Commented(FlagInput),
    ignores: ['archived_at'],
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    errors: [412],
    sends: ['ETag'],
    refusals: {
      422: 'The key or the percentage is invalid, or a value does not match the type',
    },
  }),
  previewFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/preview',
    summary: 'The effect of writing a flag, with its warnings',
    description: 'The body is that of `POST …/flags`. Nothing is stored or delivered.',
    tag: 'Flag',
    access: 'write_flags',
    changesNothing: true,
    params: environmentParams,
    body: FlagInput,
    responses: { 200: FlagPreview },
    refusals: {
      422: 'The key or the percentage is invalid, or a value does not match the type',
    },
  }),
  patchFlag: endpoint({
    method: 'PATCH',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'Change a flag by JSON merge patch',
    description: 'RFC 7386. Only given fields change; the patched flag is validated as a whole.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    query: Type.Object(maxChangedUsers),
    headers: ifMatch,
    body: Commented(FlagPatch),
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    errors: [409, 412],
    sends: ['ETag'],
    refusals: {
      409: 'More users than `max_changed_users` would get another result',
      422: 'The patched flag is invalid as a whole, or the patch has another `key`',
    },
  }),
  deleteFlag: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'Delete a flag',
    description:
      'SDKs lose it immediately. Flags that have it as a prerequisite serve their `disabled_value`.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    query: commentQuery,
    responses: { 204: null, 202: OpenedChangeRequest },
    errors: [412],
  }),
  archiveFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/:key/archive',
    summary: 'Archive a flag: its data and history are kept, and SDKs do not receive it any more',
    description: 'SDKs evaluate it as a flag that does not exist.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    body: CommentInput,
    bodyOptional: true,
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    errors: [412],
    sends: ['ETag'],
  }),
  unarchiveFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/:key/unarchive',
    summary: 'Restore an archived flag',
    description: 'SDKs receive it again, unchanged.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    body: CommentInput,
    bodyOptional: true,
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    errors: [412],
    sends: ['ETag'],
  }),
  promoteFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/:key/promote',
    summary: 'Copy a flag to another environment of the project',
    description:
      'Everything except `archived_at` is copied, in one transaction. Segments that the target lacks are named in a warning, or copied with `copy_segments`.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    body: PromoteInput,
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    sends: ['ETag'],
    refusals: {
      404: 'There is no such flag or target environment',
      422: 'The target is the same environment, or in another project',
    },
  }),
  getFlagHistory: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags/:key/history',
    summary: 'The flag after each of its changes, newest first',
    description: 'Each entry has the whole flag, at a revision that `restore` accepts.',
    tag: 'Flag',
    access: 'read_environment',
    addresses: 'flag',
    params: keyedParams,
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ default: HISTORY_LIMIT_MAX, description: `Clamped to 1 to ${HISTORY_LIMIT_MAX}` }),
      ),
      offset: Type.Optional(Type.Integer({ default: 0, description: 'Clamped to 0 and above' })),
      ...cursorQuery,
    }),
    responses: { 200: Type.Array(FlagHistoryEntry) },
    sends: ['X-Next-Cursor'],
  }),
  restoreFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/:key/restore',
    summary: 'Restore an earlier revision of a flag, as a new change',
    description: 'The history gains an entry; earlier ones do not change.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    body: RestoreInput,
    responses: { 200: WrittenFlag, 202: OpenedChangeRequest },
    errors: [412],
    sends: ['ETag'],
    refusals: {
      422: 'The history has no such revision',
    },
  }),
  changeFlagsInBulk: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags/bulk',
    summary: 'Apply one action to several flags, each separately',
    description: 'Every key gets a result with the status of the equivalent single call.',
    tag: 'Flag',
    access: 'write_flags',
    params: environmentParams,
    body: BulkInput,
    responses: { 200: BulkResult },
    refusals: {
      422: 'The input is invalid, or the action needs `tags`',
    },
  }),
  compareFlags: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/compare',
    summary: 'The differences between the flags of two environments',
    description: 'Both environments belong to this project. Each flag is compared field by field.',
    tag: 'Flag',
    access: 'read_project_flags',
    params: projectParams,
    query: Type.Object({
      source: uuid({ description: 'The environment to compare' }),
      target: uuid({ description: 'The environment to compare it with' }),
      behaviour: Type.Optional(
        Type.Boolean({ description: 'Decide too whether every possible user gets the same of each flag' }),
      ),
      ...listQuery,
    }),
    responses: { 200: FlagComparison },
    sends: ['X-Next-Cursor'],
    refusals: {
      404: 'There is no such project or environment',
      422: 'An environment is missing, or belongs to another project',
    },
  }),
} as const
