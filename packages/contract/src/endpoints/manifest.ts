import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { OpenedChangeRequest } from '../schemas/change-request.ts'
import { key, uuid } from '../schemas/common.ts'
import {
  ManifestArchived,
  ManifestEntry,
  ManifestFlags,
  ManifestPatch,
  WrittenManifestEntry,
} from '../schemas/manifest.ts'
import { environmentParams } from './params.ts'

const common = { tag: 'Manifest', protocol: 'manifest', environmentInQuery: true } as const
const query = Type.Object({
  environment_id: Type.Optional(
    uuid({ description: 'The environment; for SDK keys that of the key, which is the default' }),
  ),
})
const params = Type.Object({ key: key({ description: 'The key of the flag' }) })
const refusals = { 400: 'The input is invalid, or the credential needs `environment_id`' }
const headers = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: "The ETag of the caller's copy; 304 while it is current" }),
  ),
})

/** The manifest of OpenFeature's command line and the types of flags (docs/types.md). */
export const manifestEndpoints = {
  getTypes: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/types.ts',
    summary: 'TypeScript types of the flags of an environment, for `@burgee/sdk`',
    description:
      'The same as `burgee.gen.ts` of `burgee generate`. Archived and expired flags are marked as deprecated.',
    tag: 'Manifest',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      strict: Type.Optional(
        Type.Boolean({ description: 'Leaves out archived and expired flags; false by default' }),
      ),
    }),
    headers,
    responses: {
      200: Type.String({
        description: 'A module of TypeScript',
        examples: [
          "declare module '@burgee/sdk' {\n  interface Flags {\n    'theme': 'dark' | 'light'\n  }\n}\n",
        ],
      }),
      304: null,
    },
    produces: 'text/plain',
    sends: ['ETag'],
  }),
  getManifest: endpoint({
    ...common,
    method: 'GET',
    path: '/openfeature/v0/manifest',
    summary: 'The flag manifest, for `openfeature pull`',
    description: 'Archived flags are left out.',
    access: 'read_environment',
    query,
    responses: { 200: ManifestFlags },
    sends: ['X-Manifest-Capabilities'],
    refusals,
  }),
  createManifestFlag: endpoint({
    ...common,
    method: 'POST',
    path: '/openfeature/v0/manifest/flags',
    summary: 'Create a flag of the manifest, for `openfeature push`',
    description:
      'It is off, and its `disabled_value` is `defaultValue`. A name that is not the key becomes the description where there is none.',
    access: 'write_flags',
    query,
    body: ManifestEntry,
    responses: { 201: WrittenManifestEntry, 202: OpenedChangeRequest },
    errors: [409],
    sends: ['X-Manifest-Capabilities'],
    refusals: { ...refusals, 409: 'The environment has a flag with the key, perhaps an archived one' },
  }),
  updateManifestFlag: endpoint({
    ...common,
    method: 'PUT',
    path: '/openfeature/v0/manifest/flags/:key',
    summary: 'Change the description and the default value of a flag of the manifest',
    description: 'Rules, rollout and switch stay as they are.',
    access: 'write_flags',
    addresses: 'flag',
    params,
    query,
    body: ManifestPatch,
    responses: { 200: WrittenManifestEntry, 202: OpenedChangeRequest },
    errors: [409],
    sends: ['X-Manifest-Capabilities'],
    refusals: { ...refusals, 409: 'The flag is archived, or has another type' },
  }),
  archiveManifestFlag: endpoint({
    ...common,
    method: 'DELETE',
    path: '/openfeature/v0/manifest/flags/:key',
    summary: 'Archive a flag of the manifest',
    description: 'SDKs do not receive it any more. Its data and history are kept.',
    access: 'write_flags',
    addresses: 'flag',
    params,
    query,
    responses: { 200: ManifestArchived, 202: OpenedChangeRequest },
    errors: [409],
    sends: ['X-Manifest-Capabilities'],
    refusals: { ...refusals, 409: 'The flag is archived already' },
  }),
} as const
