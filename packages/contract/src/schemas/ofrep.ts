import { Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { anyJson, uuid } from './common.ts'

const { productionId } = EXAMPLE_SHOP

const metadata = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  description: 'The metadata of the flag; absent when it has none',
})
const key = Type.String({ description: 'The key of the flag' })

const EVALUATION = { key: 'new-checkout', reason: 'TARGETING_MATCH', variant: 'true', value: true }

/** The body of an evaluation. It has no type, because the server reads it with errors of its own. */
export const OfrepRequest = Type.Unsafe<unknown>({
  description: 'The body of an evaluation. What is invalid in it has errors of OFREP',
  properties: {
    context: anyJson({
      description:
        'The evaluation context of OpenFeature, an object: `targetingKey` is the user key, everything else attributes. Absent or null, it is empty',
    }),
  },
  examples: [{ context: { targetingKey: 'user-1', plan: 'pro' } }],
})

/** The result of one flag. */
export const OfrepEvaluation = Type.Object(
  {
    key,
    reason: Type.Enum(['TARGETING_MATCH', 'SPLIT', 'STATIC', 'DISABLED', 'DEFAULT'], {
      description: 'What decided the value',
    }),
    variant: Type.String({ description: 'The name of the value' }),
    value: Type.Optional(anyJson({ description: 'Absent where the default in the code applies' })),
    metadata: Type.Optional(metadata),
  },
  { examples: [EVALUATION] },
)

const UNKNOWN =
  'There is no flag "new-chekout" in the environment of this key. Check the key of the flag, and which environment the SDK key belongs to.'

export const OFREP_FAILURE_EXAMPLE = {
  error: UNKNOWN,
  errorCode: 'FLAG_NOT_FOUND',
  errorDetails: UNKNOWN,
  key: 'new-chekout',
}

/** An error of OFREP. */
export const OfrepFailure = Type.Object(
  {
    error: Type.String({ description: 'The problem and what to do' }),
    errorCode: Type.Enum(['PARSE_ERROR', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL'], {
      description: 'The code of the error in OpenFeature',
    }),
    errorDetails: Type.String({ description: 'The same text as `error`, for providers' }),
    key: Type.Optional(Type.String({ description: 'The key of the flag, for one flag' })),
    retry_after_seconds: Type.Optional(
      Type.Integer({ description: 'With 429 and 503: seconds to wait, as in the header Retry-After' }),
    ),
  },
  { examples: [OFREP_FAILURE_EXAMPLE] },
)

const EventStream = Type.Object({
  type: Type.Literal('sse', { description: 'Server-sent events' }),
  endpoint: Type.Object(
    { requestUri: Type.String({ description: 'A path of this server, with a ticket' }) },
    { description: 'Where the stream is opened' },
  ),
  inactivityDelaySec: Type.Integer({
    description: 'Seconds without activity after which a client may close the stream',
  }),
})

/** The results of all flags of the environment. */
export const OfrepBulkEvaluation = Type.Object(
  {
    flags: Type.Array(Type.Union([OfrepEvaluation, OfrepFailure]), {
      description: 'In the order of their keys',
    }),
    metadata: Type.Object(
      {
        flagSetId: uuid({ description: 'The id of the environment' }),
        version: Type.Integer({ description: 'The revision of the environment' }),
      },
      { description: 'What was evaluated' },
    ),
    eventStreams: Type.Array(EventStream, { description: 'Streams that announce changes' }),
  },
  {
    examples: [
      {
        flags: [EVALUATION],
        metadata: { flagSetId: productionId, version: 42 },
        eventStreams: [
          {
            type: 'sse',
            endpoint: { requestUri: '/ofrep/v1/events?ticket=7.1771709298.mHUl...' },
            inactivityDelaySec: 120,
          },
        ],
      },
    ],
  },
)
