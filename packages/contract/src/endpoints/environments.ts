import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import {
  ApprovalInput,
  Connections,
  Environment,
  EnvironmentInput,
  EnvironmentPatch,
} from '../schemas/environment.ts'
import { listQuery } from './list-query.ts'
import { environmentParams, projectEnvironmentParams, projectParams } from './params.ts'

export const environmentEndpoints = {
  listEnvironments: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/environments',
    summary: "A project's environments",
    description: 'In the order in which they were created.',
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
    description: 'It starts without flags and keys.',
    tag: 'Environment',
    access: 'write_project',
    params: projectParams,
    body: EnvironmentInput,
    responses: { 200: Environment },
    errors: [409],
    refusals: {
      409: 'An environment of the project has this slug',
    },
  }),
  updateEnvironment: endpoint({
    method: 'PATCH',
    path: '/api/projects/:project_id/environments/:env_id',
    summary: "Change an environment's name, color or whether its keys may manage it; its slug stays",
    description: 'SDKs notice nothing.',
    tag: 'Environment',
    access: 'write_environment',
    params: projectEnvironmentParams,
    body: EnvironmentPatch,
    responses: { 200: Environment },
  }),
  deleteEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/environments/:env_id',
    summary: 'Delete an environment with everything in it',
    description:
      'Its flags, segments and keys go with it, and open streams end. The default and the last environment cannot be deleted (422).',
    tag: 'Environment',
    access: 'write_project',
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
    summary: 'Make an environment the one that is used when none is named',
    description: 'The one that was the default no longer is.',
    tag: 'Environment',
    access: 'write_project',
    params: projectEnvironmentParams,
    responses: { 200: Environment },
  }),
  requireApproval: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/environments/:env_id/require-approval',
    summary: 'Switch the approval of changes on or off',
    description:
      'With the scope `patch` the PATCH of a flag becomes a change request. With `all` every change to a flag that exists does: patch, replace, promote, archive, unarchive, restore, bulk and delete; schedules are approved first; edits of segments that would change a flag, and switching this off again, take a workspace admin. Without `approval_scope` a switch that was off starts with `patch` and one that is on keeps its scope. Where the scope becomes `all`, `keys_may_manage` becomes false unless the call says otherwise.',
    tag: 'Environment',
    access: 'write_environment',
    params: projectEnvironmentParams,
    body: ApprovalInput,
    responses: { 200: Environment },
  }),
  getConnections: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/connections',
    summary: 'How many SDKs are connected, over all instances, and when one last connected',
    description: 'Counts the streams of SDK keys, not those of dashboards.',
    tag: 'Environment',
    access: 'read_environment',
    params: environmentParams,
    responses: { 200: Connections },
  }),
} as const
