import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { User, UserInput, UserPatch, WrittenUser } from '../schemas/user.ts'
import { listQuery } from './list-query.ts'
import { integerIdParams } from './params.ts'

export const userEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/users',
    summary: "The workspace's users",
    description: 'In the order of their ids. `locked_until` says whose logins are locked after failures.',
    tag: 'User',
    access: 'workspace_admin',
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(User) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/users',
    summary: 'Create a user',
    description:
      'The role is that of the workspace; what a user may do in a project is their membership there. One of the most common passwords is a warning, and 422 under the policy `strict`.',
    tag: 'User',
    access: 'workspace_admin',
    body: UserInput,
    responses: { 200: WrittenUser },
    errors: [409],
    refusals: {
      409: 'Another user has this e-mail address (letter case is ignored)',
    },
  }),
  updateUser: endpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    summary: "Change a user's name, role or password",
    description:
      'The last admin cannot be demoted (422). A new password ends all sessions of the user but the one that the caller acts with.',
    tag: 'User',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    body: UserPatch,
    responses: { 200: WrittenUser },
    refusals: {
      422: 'The input does not fit, or this would demote the last admin',
    },
  }),
  unlockUser: endpoint({
    method: 'POST',
    path: '/api/users/:id/unlock',
    summary: "End the lock of a user's logins and forget the failures that led to it",
    description: 'It does no harm where nothing is locked. A lock ends by itself after 15 minutes.',
    tag: 'User',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    responses: { 204: null },
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Delete a user with their sessions, tokens and memberships, at once',
    description: 'Deleting oneself or the last admin is refused (422).',
    tag: 'User',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'This is oneself, or the last admin',
    },
  }),
} as const
