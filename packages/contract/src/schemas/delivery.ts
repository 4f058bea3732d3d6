import { Type } from 'typebox'
import { integerId, Nullable, timestamp } from './common.ts'

const fields = {
  id: integerId({ description: 'Grows with time' }),
  event: Type.String({ description: 'The event that was delivered' }),
  attempt: Type.Integer({ description: '1 for the first' }),
  status_code: Nullable(Type.Integer({ description: 'The status of the response; null without a response' })),
  error: Nullable(Type.String({ description: 'The reason why there was no complete response' })),
  delivered_at: timestamp({ description: 'The time of the attempt, UTC' }),
}

/** The fields of one attempt in the log of a webhook or of a chat. */
export const deliveryFields = {
  ...fields,
  message_id: Nullable(
    Type.String({ description: 'The header `webhook-id` of a webhook: the same for every attempt' }),
  ),
  response_body: Nullable(
    Type.String({
      description:
        'The first 500 characters of the response; null for private addresses, whose responses are not stored',
    }),
  ),
  duration_ms: Nullable(
    Type.Integer({ description: 'The duration; null for attempts of versions that did not measure it' }),
  ),
}

/** The newest attempt, shown beside its receiver where receivers are read. */
export const lastDelivery = Type.Optional(
  Type.Union([Type.Object(fields), Type.Null()], {
    description: 'The newest attempt; null when there was none, absent in responses to writes',
  }),
)
