import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { ApproveInput, ChangeRequest, ChangeRequestStatus, RejectInput } from '../schemas/change-request.ts'
import { WrittenFlag } from '../schemas/flag.ts'
import { listQuery } from './list-query.ts'
import { changeRequestParams, environmentParams } from './params.ts'

export const changeRequestEndpoints = {
  listChangeRequests: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/change-requests',
    summary: 'Changes that wait for approval, and those that were decided; newest first',
    description: 'A pending one carries a `preview` of what approving it would do now.',
    tag: 'Change request',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({ status: Type.Optional(ChangeRequestStatus), ...listQuery }),
    responses: { 200: Type.Array(ChangeRequest) },
    sends: ['X-Next-Cursor'],
  }),
  approveChangeRequest: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/change-requests/:id/approve',
    summary: 'Approve a change: it is applied to the flag as it is now',
    description:
      'Nobody approves what they asked for themselves (403); a token is its owner. Answers the flag; one that is deleted is shown as it was. A flag that is gone meanwhile: 404, and the request is cancelled. A change that no longer fits: 422, and it stays pending. With `revision` it is applied only while the flag has that revision.',
    tag: 'Change request',
    access: 'write_flags',
    addresses: 'change_request',
    params: changeRequestParams,
    body: ApproveInput,
    bodyOptional: true,
    responses: { 200: WrittenFlag },
    errors: [409, 422],
    refusals: {
      403: 'The caller asked for the change, or may not approve',
      409: 'It is not pending, or the flag has another revision than the one sent',
      422: 'The change no longer fits the flag; it stays pending',
    },
  }),
  rejectChangeRequest: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/change-requests/:id/reject',
    summary: 'Reject a change; the flag stays as it is',
    description: 'Any reviewer may, the requester included.',
    tag: 'Change request',
    access: 'write_flags',
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
  cancelChangeRequest: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/change-requests/:id',
    summary: "Withdraw one's own pending change; a workspace admin withdraws anybody's",
    description: "One that is not pending, or is another's, is 404.",
    tag: 'Change request',
    access: 'read_environment',
    addresses: 'change_request',
    params: changeRequestParams,
    responses: { 204: null },
    refusals: {
      404: "There is no such request, it is not pending, or it is another's",
    },
  }),
} as const
