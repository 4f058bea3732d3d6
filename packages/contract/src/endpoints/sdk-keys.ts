import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { CreatedSdkKey, SdkKey, SdkKeyInput } from '../schemas/sdk-key.ts'
import { listQuery } from './list-query.ts'
import { projectParams, sdkKeyParams } from './params.ts'

export const sdkKeyEndpoints = {
  listSdkKeys: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/keys',
    summary: "A project's SDK keys, without their full values",
    description: 'Of all its environments.',
    tag: 'SDK key',
    access: 'read_project',
    params: projectParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(SdkKey) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  createSdkKey: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/keys',
    summary: 'Create an SDK key',
    description:
      'The answer shows the full key, this once. A `client` key reads flags and reports, nothing else; whoever holds it can read the rules.',
    tag: 'SDK key',
    access: 'write_keys',
    params: projectParams,
    body: SdkKeyInput,
    responses: { 200: CreatedSdkKey },
    refusals: {
      422: 'The input does not fit, or the environment is not of this project',
    },
  }),
  revokeSdkKey: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/keys/:id',
    summary: 'Revoke an SDK key at once',
    description: 'Open streams of the key end. The last key of a project cannot be revoked (422).',
    tag: 'SDK key',
    access: 'write_keys',
    addresses: 'sdk_key',
    params: sdkKeyParams,
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'This is the last key of the project',
    },
  }),
} as const
