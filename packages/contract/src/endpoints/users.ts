import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { User, UserInput, UserPatch } from '../schemas/user.ts'
import { integerIdParams } from './params.ts'

export const userEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/users',
    summary: "The workspace's users",
    description: 'In the order of their ids.',
    tag: 'User',
    access: 'workspace_admin',
    responses: { 200: Type.Array(User) },
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/users',
    summary: 'Create a user',
    description:
      'The role is that of the workspace; what a user may do in a project is their membership there.',
    tag: 'User',
    access: 'workspace_admin',
    body: UserInput,
    responses: { 200: User },
    errors: [409],
    refusals: {
      409: 'Somebody has this e-mail address already, in whatever case',
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
    responses: { 200: User },
    refusals: {
      422: 'The input does not fit, or this would demote the last admin',
    },
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Delete a user with their sessions, tokens and memberships, at once',
    description: 'Nobody deletes themselves or the last admin (422).',
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
