import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Flag, FlagInput, FlagPatch, WrittenFlag } from '../schemas/flag.ts'
import { environmentParams, keyedParams } from './params.ts'

/** Two writers (contract, section 5): a write that names a stale revision is refused. */
const ifMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({ description: 'The revision that the change is based on, in quotes' }),
  ),
})

export const flagEndpoints = {
  listFlags: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags',
    summary: "An environment's flags, segment references unexpanded",
    tag: 'Flag',
    access: 'read_environment',
    params: environmentParams,
    responses: { 200: Type.Array(Flag) },
  }),
  getFlag: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'One flag',
    tag: 'Flag',
    access: 'read_environment',
    addresses: 'flag',
    params: keyedParams,
    responses: { 200: Flag },
  }),
  putFlag: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/flags',
    summary: 'Create a flag, or replace it whole when the key exists',
    tag: 'Flag',
    access: 'write_flags',
    params: environmentParams,
    headers: ifMatch,
    body: FlagInput,
    responses: { 200: WrittenFlag },
    errors: [412],
  }),
  patchFlag: endpoint({
    method: 'PATCH',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'Change a flag by JSON merge patch',
    description: 'RFC 7386. Only given fields change; the patched flag is validated as a whole.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    body: FlagPatch,
    responses: { 200: WrittenFlag },
    errors: [412],
  }),
  deleteFlag: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/flags/:key',
    summary: 'Delete a flag',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'flag',
    params: keyedParams,
    headers: ifMatch,
    responses: { 204: null },
    errors: [412],
  }),
} as const
