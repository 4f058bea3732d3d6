import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Uuid } from '../schemas/common.ts'
import { Flag } from '../schemas/flag.ts'

export const streamEndpoints = {
  openStream: endpoint({
    method: 'GET',
    path: '/stream',
    summary: 'Server-sent events: connected, one update a flag, ready, then live updates',
    description:
      'An SDK key receives its environment. A session or personal access token receives every environment that its user may read, or the one named by `environment_id`.',
    tag: 'Stream',
    access: 'open_stream',
    query: Type.Object({
      sdk_key: Type.Optional(Type.String({ description: 'For clients that cannot set headers' })),
      environment_id: Type.Optional(Uuid),
    }),
    responses: { 200: Type.String() },
    errors: [403, 404],
    produces: 'text/event-stream',
    cors: true,
  }),
  getSnapshot: endpoint({
    method: 'GET',
    path: '/flags/snapshot',
    summary: "The key's flags, segments expanded",
    description: 'For SDK keys. Carries ETag and X-Environment-Id, and answers If-None-Match with 304.',
    tag: 'Stream',
    access: 'read_snapshot',
    responses: { 200: Type.Array(Type.Partial(Flag)), 304: null },
    errors: [400],
    cors: true,
  }),
} as const
