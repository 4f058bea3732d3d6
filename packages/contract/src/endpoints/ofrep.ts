import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { OfrepBulkEvaluation, OfrepEvaluation, OfrepRequest } from '../schemas/ofrep.ts'

const EXAMPLE_EVENTS = [
  'retry: 1000',
  '',
  'id: 43',
  'event: message',
  'data: {"type":"refetchEvaluation","etag":"\\"43\\"","lastModified":1771622898}',
  '',
  ': ka',
  '',
  '',
].join('\n')

const refusals = {
  400: 'The body is not JSON (`PARSE_ERROR`), or its context is invalid (`INVALID_CONTEXT`)',
  401: 'No SDK key, or one that is unknown or revoked',
}

/** OFREP 0.3: flags that the server evaluates (docs/ofrep.md). */
export const ofrepEndpoints = {
  evaluateFlag: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags/:key',
    summary: 'Evaluate one flag for a context',
    description: 'Recorded as an impression, unless OFREP_IMPRESSIONS is `off`.',
    tag: 'OFREP',
    access: 'evaluate',
    params: Type.Object({ key: Type.String({ description: 'The key of the flag' }) }),
    body: OfrepRequest,
    responses: { 200: OfrepEvaluation },
    changesNothing: true,
    cors: true,
    protocol: 'ofrep',
    refusals: {
      ...refusals,
      404: 'The environment has no such flag, or none for client keys (`FLAG_NOT_FOUND`)',
    },
  }),
  evaluateFlags: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    summary: 'Evaluate every flag for a context',
    description:
      'It has an ETag, which depends on the revision and the context, and responds to If-None-Match with 304.',
    tag: 'OFREP',
    access: 'evaluate',
    query: Type.Object({
      flagConfigEtag: Type.Optional(
        Type.String({
          description: 'The `etag` of an event: the response waits up to a second for that revision',
        }),
      ),
      flagConfigLastModified: Type.Optional(Type.String({ description: 'Accepted and ignored' })),
    }),
    headers: Type.Object({
      'If-None-Match': Type.Optional(
        Type.String({ description: "The ETag of the caller's copy; 304 while it is current" }),
      ),
    }),
    body: OfrepRequest,
    responses: { 200: OfrepBulkEvaluation, 304: null },
    changesNothing: true,
    cors: true,
    protocol: 'ofrep',
    sends: ['ETag'],
    refusals,
  }),
  openEvents: endpoint({
    method: 'GET',
    path: '/ofrep/v1/events',
    summary: 'Server-sent events: a message for each change, to evaluate again',
    description:
      'Its address, with a ticket, is in `eventStreams` of a bulk evaluation. Changes within 50 ms are one event. `Last-Event-ID` of another revision gives one at once.',
    tag: 'OFREP',
    access: 'open_events',
    query: Type.Object({
      ticket: Type.Optional(Type.String({ description: 'The ticket of a bulk evaluation' })),
    }),
    responses: {
      200: Type.String({
        description: 'An endless stream of server-sent events',
        examples: [EXAMPLE_EVENTS],
      }),
    },
    produces: 'text/event-stream',
    cors: true,
    protocol: 'ofrep',
    refusals: { 401: 'No ticket, one that has expired, or one of a revoked key' },
  }),
} as const
