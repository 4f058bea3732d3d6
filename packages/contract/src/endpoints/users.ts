import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { ScheduledChange } from '../schemas/scheduled-change.ts'
import { USER_KINDS } from '../schemas/service-account.ts'
import { DisabledUser, DisableInput, User, UserInput, UserPatch, WrittenUser } from '../schemas/user.ts'
import { listQuery } from './list-query.ts'
import { integerIdParams } from './params.ts'

export const userEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/users',
    summary: "The workspace's users",
    description:
      "People only, in the order of their ids; with `kind: service_account` the service accounts instead. `locked_until` is set while a user's logins are locked after failures.",
    tag: 'User',
    access: 'workspace_admin',
    query: Type.Object({
      kind: Type.Optional(Type.Enum([...USER_KINDS], { description: '`person` by default' })),
      ...listQuery,
    }),
    responses: { 200: Type.Array(User) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/users',
    summary: 'Create a user',
    description:
      'The role is that in the workspace; rights in a project come from memberships. One of the most common passwords gets a warning, and 422 under the policy `strict`.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    body: UserInput,
    responses: { 200: WrittenUser },
    errors: [409],
    refusals: {
      409: 'Another user has this e-mail address, ignoring case',
    },
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/api/users/:id',
    summary: 'One user',
    description: 'The same fields as in the list. `GET /api/auth/me` is for oneself.',
    tag: 'User',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    responses: { 200: User },
  }),
  updateUser: endpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    summary: "Change a user's name, role or password",
    description:
      'The last admin cannot be demoted (422). A new password ends all sessions and personal access tokens of the user except those of the caller. `revoke_tokens: false` keeps the tokens.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    body: UserPatch,
    ignores: ['email'],
    responses: { 200: WrittenUser },
    refusals: {
      422: 'The input is invalid, or this would demote the last admin',
    },
  }),
  unlockUser: endpoint({
    method: 'POST',
    path: '/api/users/:id/unlock',
    summary: "End the lock of a user's logins and forget the failures that led to it",
    description: 'It has no effect when nothing is locked. A lock ends by itself after 15 minutes.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    responses: { 204: null },
  }),
  disableUser: endpoint({
    method: 'POST',
    path: '/api/users/:id/disable',
    summary: 'Disable a user: end their sessions, tokens and streams immediately',
    description:
      'The user cannot sign in until they are enabled again. Memberships and history stay; sessions and tokens do not come back. `schedules` decides about their scheduled changes that are not due yet: `keep` (the default) or `cancel`. One that cannot be canceled is kept. The caller and the last admin cannot be disabled (422).',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    body: DisableInput,
    bodyOptional: true,
    responses: { 200: DisabledUser },
    refusals: {
      422: 'The input is invalid, or this is the caller or the last admin',
    },
  }),
  enableUser: endpoint({
    method: 'POST',
    path: '/api/users/:id/enable',
    summary: 'Enable a disabled user',
    description: 'The user can sign in again, with the same password. It has no effect on an enabled user.',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    responses: { 200: User },
  }),
  listUserScheduledChanges: endpoint({
    method: 'GET',
    path: '/api/users/:id/scheduled-changes',
    summary: 'The scheduled changes of a user that are not executed yet, in all environments',
    description: 'In the order of their time.',
    tag: 'User',
    access: 'workspace_admin',
    addresses: 'user',
    params: integerIdParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(ScheduledChange) },
    sends: ['X-Next-Cursor'],
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Delete a user with their sessions, tokens and memberships immediately',
    description: 'The caller and the last admin cannot be deleted (422).',
    tag: 'User',
    access: 'workspace_admin',
    needsRecentLogin: true,
    addresses: 'user',
    params: integerIdParams,
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'This is the caller, or the last admin',
    },
  }),
} as const
