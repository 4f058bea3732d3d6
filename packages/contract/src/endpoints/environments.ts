import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import {
  ApprovalInput,
  ApprovalOutcome,
  Connections,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
} from '../schemas/environment.ts'
import { Warned } from '../schemas/warning.ts'
import { listQuery } from './list-query.ts'
import { environmentParams, projectEnvironmentParams, projectParams } from './params.ts'

export const environmentEndpoints = {
  listEnvironments: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/environments',
    summary: "A project's environments",
    description: 'In the order of their creation.',
    tag: 'Environment',
    access: 'read_project',
    params: projectParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(Environment) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createEnvironment: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/environments',
    summary: 'Create an environment',
    description: 'A new environment has no flags and keys.',
    tag: 'Environment',
    access: 'write_environments',
    params: projectParams,
    body: EnvironmentInput,
    ignores: ['is_default', 'require_approval', 'approval_scope', 'keys_may_manage'],
    responses: { 200: Warned(Environment) },
    errors: [409],
    refusals: {
      409: 'An environment of the project has this slug',
    },
  }),
  getEnvironment: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/environments/:env_id',
    summary: 'One environment',
    description: 'The same fields as in the list.',
    tag: 'Environment',
    access: 'read_project',
    params: projectEnvironmentParams,
    responses: { 200: Environment },
  }),
  updateEnvironment: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id/environments/:env_id',
    summary: "Change an environment's name, its color, or whether its keys may manage it; its slug stays",
    description: 'SDKs notice nothing.',
    tag: 'Environment',
    access: 'write_environment',
    needsRecentLogin: ['keys_may_manage', 'require_comment'],
    params: projectEnvironmentParams,
    body: EnvironmentPatch,
    ignores: ['slug', 'is_default', 'require_approval', 'approval_scope'],
    responses: { 200: Warned(Environment) },
  }),
  deleteEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/environments/:env_id',
    summary: 'Delete an environment with everything in it',
    description:
      'Its flags, segments and keys are deleted with it, and open streams end. The default and the last environment cannot be deleted (422).',
    tag: 'Environment',
    access: 'write_environments',
    needsRecentLogin: true,
    params: projectEnvironmentParams,
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'This is the default or the last environment',
    },
  }),
  makeEnvironmentDefault: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/environments/:env_id/default',
    summary: 'Make an environment the default of its project',
    description:
      'The previous default loses that role. In the oldest project the setting SDK_KEY becomes a key of this environment: before, `has_legacy_key` marks the environment that has it; afterwards, the warning `legacy_key_moved` reports the move.',
    tag: 'Environment',
    access: 'write_environments',
    params: projectEnvironmentParams,
    responses: { 200: Warned(Environment) },
  }),
  requireApproval: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/environments/:env_id/require-approval',
    summary: 'Switch the approval of changes on or off',
    description:
      'With the scope `patch` the PATCH of a flag becomes a change request. With `all` every change to an existing flag does: patch, replace, promote, archive, unarchive, restore, bulk and delete. Schedules are then approved first, and only a workspace admin may edit segments that would change a flag, or end this setting. Without `approval_scope`, enabling starts with `patch`, and an enabled setting keeps its scope. When the scope becomes `all`, `keys_may_manage` becomes false unless the call sets it. `planned` counts the scheduled changes that were never approved; with `planned_changes: "request"` they become change requests in the same transaction.',
    tag: 'Environment',
    access: 'write_environment',
    needsRecentLogin: true,
    params: projectEnvironmentParams,
    body: ApprovalInput,
    responses: { 200: ApprovalOutcome },
  }),
  getConnections: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/connections',
    summary: 'The number of connected SDKs over all instances, and the time of the latest connection',
    description: 'Streams of SDK keys count, those of dashboards do not.',
    tag: 'Environment',
    access: 'read_environment',
    params: environmentParams,
    responses: { 200: Connections },
  }),
} as const
