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
    description:
      'The keys of all its environments, except those where another role of the caller does not permit reading.',
    tag: 'SDK key',
    access: 'read_project',
    params: projectParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(SdkKey) },
    sends: ['X-Next-Cursor'],
    listedBy: 'id',
  }),
  getSdkKey: endpoint({
    method: 'GET',
    path: '/api/projects/:project_id/keys/:id',
    summary: 'One SDK key, without its full value',
    description: 'The same fields as in the list.',
    tag: 'SDK key',
    access: 'read_project',
    addresses: 'sdk_key',
    params: sdkKeyParams,
    responses: { 200: SdkKey },
  }),
  createSdkKey: endpoint({
    method: 'POST',
    path: '/api/projects/:project_id/keys',
    summary: 'Create an SDK key',
    description:
      'Only this response has the full key. `reader` and `client` keys only read flags and report; anyone who has one can read the rules. A key that is created with a key has its id as `parent_id`. With a key the response is 403 while `keys_may_manage` is off.',
    tag: 'SDK key',
    access: 'write_keys',
    needsRecentLogin: true,
    params: projectParams,
    body: SdkKeyInput,
    responses: { 200: CreatedSdkKey },
    refusals: {
      422: 'The input is invalid, or the environment belongs to another project',
    },
  }),
  revokeSdkKey: endpoint({
    method: 'DELETE',
    path: '/api/projects/:project_id/keys/:id',
    summary: 'Revoke an SDK key immediately',
    description:
      'Open streams of the key end. With `children=true` all keys that were created with it, and with those, are revoked in the same transaction; otherwise they stay valid. The last key of a project cannot be revoked (422).',
    tag: 'SDK key',
    access: 'write_keys',
    needsRecentLogin: true,
    addresses: 'sdk_key',
    params: sdkKeyParams,
    query: Type.Object({
      children: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether the keys that were created with it are revoked too',
        }),
      ),
    }),
    responses: { 204: null },
    errors: [422],
    refusals: {
      422: 'No key of the project would be left',
    },
  }),
} as const
