import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { ACK_BODY_MAX_BYTES, KEY_MAX_LENGTH } from '../limits.ts'
import { uuid } from '../schemas/common.ts'
import { AckInput, UnknownFlag } from '../schemas/unknown-flag.ts'
import { listQuery } from './list-query.ts'
import { environmentParams } from './params.ts'

export const unknownFlagEndpoints = {
  acknowledge: endpoint({
    method: 'POST',
    path: '/sdk/ack',
    summary: 'Confirm revisions, and report flags that do not exist',
    description:
      "For SDKs, without retries. It concerns the environment of the key. `client` and `applied` confirm revisions after a response with `X-Burgee-Ack`; those of client keys are ignored. `unknown` is sent at most once a minute; keys of flags that exist are ignored, and nothing is stored as an impression. With a client key it counts as one report of the key's budget.",
    tag: 'Stream',
    access: 'ack',
    body: AckInput,
    bodyMaxBytes: ACK_BODY_MAX_BYTES,
    ingest: true,
    cors: true,
    responses: { 204: null },
    sends: ['X-Burgee-Ack'],
  }),
  listUnknownFlags: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/unknown-flags',
    summary: 'Flags that programs evaluate and that do not exist',
    description:
      'The most frequent first. Flags that exist by now are left out. A flag is listed for 30 days after its last report. `because` is the likely reason, null where there is none.',
    tag: 'Flag',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object(listQuery),
    listedBy: 'flag_key',
    responses: { 200: Type.Array(UnknownFlag) },
    sends: ['X-Next-Cursor'],
  }),
  dismissUnknownFlag: endpoint({
    method: 'DELETE',
    path: '/api/environments/:env_id/unknown-flags/:key',
    summary: 'Remove an unknown flag from the list',
    description:
      'It is listed again when a program reports it again. No flag changes; the audit log has an entry about the report.',
    tag: 'Flag',
    access: 'write_flags',
    addresses: 'unknown_flag',
    params: Type.Object({
      env_id: uuid({ description: 'An environment' }),
      key: Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH, description: 'The unknown key' }),
    }),
    responses: { 204: null },
  }),
} as const
