import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { uuid } from '../schemas/common.ts'
import { ExpandedFlag } from '../schemas/flag.ts'

const { expandedFlag, productionId } = EXAMPLE_SHOP

const clientHeader = {
  'X-Burgee-Client': Type.Optional(
    Type.String({
      description:
        'For SDKs with server keys that confirm revisions: `id=<uuid>, app=<name>, sdk=<name/version>, instance=<name>`, percent-encoded',
    }),
  ),
}
const codingHeader = {
  'X-Burgee-Stream': Type.Optional(
    Type.String({
      description:
        '`gzip` for a compressed stream (docs/reference/streaming.md#compression); other values change nothing',
    }),
  ),
}
const ifNoneMatch = Type.Object({
  ...clientHeader,
  'If-None-Match': Type.Optional(
    Type.String({ description: "The ETag of the caller's copy; 304 while it is current" }),
  ),
})

/** A stream of an environment with one flag that is deleted after the bootstrap. */
const EXAMPLE_STREAM = [
  'event: connected',
  `data: ${JSON.stringify({ environment_id: productionId })}`,
  'retry: 1000',
  '',
  'event: update',
  `data: ${JSON.stringify({ type: 'UPSERT', env_id: productionId, flag: expandedFlag })}`,
  `id: ${expandedFlag.revision}`,
  '',
  'event: ready',
  'data: 1',
  '',
  ': keep-alive',
  '',
  'event: update',
  `data: ${JSON.stringify({ type: 'DELETE', env_id: productionId, key: expandedFlag.key })}`,
  `id: ${expandedFlag.revision + 1}`,
  '',
  '',
].join('\n')

export const streamEndpoints = {
  openStream: endpoint({
    method: 'GET',
    path: '/stream',
    summary: 'Server-sent events: connected, one update for each flag, ready, then live updates',
    description:
      'An SDK key receives its environment. A session or personal access token receives every environment that its user may read, or the one named by `environment_id`.',
    tag: 'Stream',
    access: 'open_stream',
    query: Type.Object({
      sdk_key: Type.Optional(Type.String({ description: 'An SDK key, for clients that cannot set headers' })),
      environment_id: Type.Optional(
        uuid({ description: 'Only this environment, for sessions and personal access tokens' }),
      ),
      origins: Type.Optional(
        Type.Boolean({
          description:
            'For sessions and personal access tokens: updates of flags whose rules were expanded also have `origins`, the written rules and segments that they come from',
        }),
      ),
    }),
    headers: Type.Object({ ...clientHeader, ...codingHeader }),
    sends: ['X-Burgee-Ack'],
    responses: {
      200: Type.String({
        description: 'An endless stream of server-sent events',
        examples: [EXAMPLE_STREAM],
      }),
    },
    errors: [403, 404],
    produces: 'text/event-stream',
    cors: true,
    refusals: {
      403: 'The caller may not read the environment that the query names',
      404: 'There is no such environment',
    },
  }),
  getSnapshot: endpoint({
    method: 'GET',
    path: '/flags/snapshot',
    summary: "The key's flags, segments expanded",
    description: 'For SDK keys. It has ETag and X-Environment-Id, and responds to If-None-Match with 304.',
    tag: 'Stream',
    access: 'read_snapshot',
    headers: ifNoneMatch,
    responses: { 200: Type.Array(ExpandedFlag), 304: null },
    errors: [400],
    cors: true,
    sends: ['ETag', 'X-Environment-Id', 'X-Burgee-Ack'],
    refusals: {
      400: 'A session or personal access token, which names no environment; an SDK key does',
    },
  }),
} as const
