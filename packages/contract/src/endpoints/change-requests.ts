import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import {
  OWN_READER_COMMENTS_MAX,
  READER_COMMENTS_MAX,
  REQUEST_COMMENTS_MAX,
  REQUEST_SEARCH_MAX_LENGTH,
} from '../limits.ts'
import {
  ApproveInput,
  ChangeRequest,
  ChangeRequestStatus,
  PlacedChangeRequest,
  RejectInput,
  RequestCommentInput,
} from '../schemas/change-request.ts'
import { commentQuery } from '../schemas/comment.ts'
import { uuid } from '../schemas/common.ts'
import { WrittenFlag } from '../schemas/flag.ts'
import { listQuery } from './list-query.ts'
import { changeRequestParams, environmentParams, maxChangedUsers } from './params.ts'

export const changeRequestEndpoints = {
  listChangeRequests: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/change-requests',
    summary: 'Changes that wait for approval, and those that were decided',
    description:
      'The pending ones first, each part newest first. With `preview=true` a pending one carries a `preview` of what approving it would do now; it is null otherwise. A decided one then carries its `decided_change`. The filters narrow the list together.',
    tag: 'Change request',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      status: Type.Optional(ChangeRequestStatus),
      preview: Type.Optional(
        Type.Boolean({ description: 'Adds the previews of pending requests; false where it is left out' }),
      ),
      q: Type.Optional(
        Type.String({
          maxLength: REQUEST_SEARCH_MAX_LENGTH,
          description:
            'Only requests whose flag key, requester or comment contains this, whatever the case of its letters',
        }),
      ),
      mine: Type.Optional(Type.Boolean({ description: "Only the caller's own requests when true" })),
      waiting_for_me: Type.Optional(
        Type.Boolean({
          description: 'Only pending requests that the caller may approve when true: those of others',
        }),
      ),
      ...listQuery,
    }),
    responses: { 200: Type.Array(ChangeRequest) },
    sends: ['X-Next-Cursor'],
  }),
  getChangeRequest: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/change-requests/:id',
    summary: 'One change request',
    description:
      'A pending one carries a `preview` of what approving it would do now, a decided one the `decided_change`.',
    tag: 'Change request',
    access: 'read_environment',
    addresses: 'change_request',
    params: changeRequestParams,
    responses: { 200: ChangeRequest },
  }),
  approveChangeRequest: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/change-requests/:id/approve',
    summary: 'Approve a change: it is applied to the current flag',
    description:
      'A requester cannot approve their own request (403); a token counts as its owner. The response is the flag; a deleted flag is shown as it was. When the flag no longer exists, the response is 404 and the request is canceled. When the change no longer fits, the response is 422 and the request stays pending. With `revision` the change is applied only while the flag has that revision. Where `min_approvals` of the environment needs more people, the approval is recorded and the response is 202 with the request. With `bypass_reason` a workspace admin applies any request alone.',
    tag: 'Change request',
    access: 'review_changes',
    addresses: 'change_request',
    params: changeRequestParams,
    query: Type.Object(maxChangedUsers),
    body: ApproveInput,
    bodyOptional: true,
    needsRecentLogin: ['bypass_reason'],
    responses: { 200: WrittenFlag, 202: ChangeRequest },
    errors: [409, 422],
    refusals: {
      403: 'The caller requested the change, or is not one of the approvers',
      409: 'It is not pending, the flag has another revision than the one sent, the caller has approved it already, or more users than `max_changed_users` would get another result',
      422: 'The change no longer fits the flag; it stays pending',
    },
  }),
  rejectChangeRequest: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/change-requests/:id/reject',
    summary: 'Reject a change; the flag does not change',
    description: 'Any reviewer may, the requester included.',
    tag: 'Change request',
    access: 'review_changes',
    addresses: 'change_request',
    params: changeRequestParams,
    body: RejectInput,
    bodyOptional: true,
    responses: { 204: null },
    errors: [409],
    refusals: {
      409: 'It is not pending',
    },
  }),
  commentOnChangeRequest: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/change-requests/:id/comments',
    summary: 'Add a comment to the discussion of a request',
    description: `Also after the decision. At most ${REQUEST_COMMENTS_MAX} comments on a request. Callers who neither may review nor requested it write at most ${OWN_READER_COMMENTS_MAX} each, and none after ${READER_COMMENTS_MAX}.`,
    tag: 'Change request',
    access: 'read_environment',
    addresses: 'change_request',
    params: changeRequestParams,
    body: RequestCommentInput,
    responses: { 200: ChangeRequest },
    errors: [409],
    refusals: { 409: 'The request has too many comments' },
  }),
  listAllChangeRequests: endpoint({
    method: 'GET',
    path: '/api/change-requests',
    summary: "Change requests of all the caller's projects",
    description:
      'Of every environment that the caller may read, newest first. `waiting_for_me` narrows the list to those that the caller may approve.',
    tag: 'Change request',
    access: 'account',
    query: Type.Object({
      status: Type.Optional(ChangeRequestStatus),
      mine: Type.Optional(Type.Boolean({ description: "Only the caller's own requests when true" })),
      waiting_for_me: Type.Optional(
        Type.Boolean({ description: 'Only pending requests that the caller may approve when true' }),
      ),
      project_id: Type.Optional(uuid({ description: 'Only requests of this project' })),
      ...listQuery,
    }),
    responses: { 200: Type.Array(PlacedChangeRequest) },
    sends: ['X-Next-Cursor'],
  }),
  cancelChangeRequest: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/change-requests/:id',
    summary: "Withdraw the caller's pending request; a workspace admin can withdraw any",
    description: 'A request that is not pending, or belongs to another user, is 404.',
    tag: 'Change request',
    access: 'read_environment',
    addresses: 'change_request',
    params: changeRequestParams,
    query: commentQuery,
    responses: { 204: null },
    refusals: {
      404: 'There is no such request, it is not pending, or it belongs to another user',
    },
  }),
} as const
