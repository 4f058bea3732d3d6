import { Type } from 'typebox'
import { integerId, Nullable, timestamp } from './common.ts'

const fields = {
  id: integerId({ description: 'Grows with time' }),
  event: Type.String({ description: 'The event that was delivered' }),
  attempt: Type.Integer({ description: '1 for the first' }),
  status_code: Nullable(Type.Integer({ description: 'What came back; null when nothing did' })),
  error: Nullable(Type.String({ description: 'Why the request did not come to an end' })),
  delivered_at: timestamp({ description: 'When it was tried, UTC' }),
}

/** What the log of a webhook and of a chat hold of one attempt. */
export const deliveryFields = {
  ...fields,
  message_id: Nullable(
    Type.String({ description: 'The header `webhook-id` of a webhook: the same for every attempt' }),
  ),
  response_body: Nullable(
    Type.String({
      description: 'Its first 500 characters; null for private addresses, whose answers are not kept',
    }),
  ),
  duration_ms: Nullable(
    Type.Integer({ description: 'How long it took; null in rows of versions that did not measure it' }),
  ),
}

/** The newest attempt, shown beside its receiver where receivers are read. */
export const lastDelivery = Type.Optional(
  Type.Union([Type.Object(fields), Type.Null()], {
    description: 'The newest attempt; null where there was none, and absent in answers to writes',
  }),
)
