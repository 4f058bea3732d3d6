import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { WEBHOOK_URL_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, integerId, Nullable, name, timestamp, uuid } from './common.ts'
import { Warning } from './warning.ts'

const url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX_LENGTH,
  description: 'Where events are posted; http or https. Link-local and metadata addresses are never reached',
})
const secret = Type.String({
  writeOnly: true,
  description:
    "Signs what is sent; never shown again. `whsec_` and base64 is that base64's bytes, anything else its UTF-8 bytes",
})

/** A receiver of domain events (docs/reference/events.md#webhooks). */
export const Webhook = Type.Object(
  {
    id: uuid({ description: 'Names the webhook in paths', readOnly: true }),
    environment_id: uuid({ description: 'Whose events it receives', readOnly: true }),
    name: Type.String(),
    url: Type.String({ description: 'Where events are posted' }),
    has_secret: Type.Boolean({ description: 'Whether what is sent is signed' }),
    enabled: Type.Boolean({ description: 'A disabled one receives nothing' }),
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.webhook] },
)
export type Webhook = Static<typeof Webhook>

/** A webhook in the response to a write. */
export const WrittenWebhook = Type.Intersect([
  Webhook,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'What is probably a mistake; absent when there is nothing to say' }),
    ),
  }),
])
export type WrittenWebhook = Static<typeof WrittenWebhook>

/**
 * A signing secret with fewer characters, without the prefix `whsec_`, can be guessed from one signed
 * message.
 */
export const SHORT_SECRET_CHARS = 16

/** Returns whether a given secret is too short to protect the signature. An empty one counts as no secret. */
export function isShortSecret(given: string): boolean {
  const { length } = given.replace(/^whsec_/, '')
  return given !== '' && length < SHORT_SECRET_CHARS
}

export const WebhookInput = Type.Object(
  {
    name: name({}),
    url,
    secret: Type.Optional(Nullable(secret)),
    enabled: Type.Optional(Type.Boolean({ description: 'True where it is not said' })),
  },
  {
    examples: [
      { name: 'Deploy bot', url: 'https://hooks.example.com/burgee', secret: 'kept-between-us-two' },
    ],
  },
)
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookPatch = Type.Object(
  {
    name: Type.Optional(name({})),
    url: Type.Optional(url),
    secret: Type.Optional(Nullable(secret)),
    enabled: Type.Optional(Type.Boolean({ description: 'A disabled one receives nothing' })),
  },
  { examples: [{ enabled: false }] },
)
export type WebhookPatch = Static<typeof WebhookPatch>

/** One attempt to deliver an event to a webhook. */
export const WebhookDelivery = Type.Object(
  {
    id: integerId({ description: 'Grows with time' }),
    webhook_id: uuid({ description: 'Whom it was sent to' }),
    event: Type.String({ description: 'The event that was delivered' }),
    attempt: Type.Integer({ description: '1 for the first' }),
    message_id: Type.String({ description: 'The header `webhook-id`: the same for every attempt' }),
    status_code: Nullable(Type.Integer({ description: 'What came back; null when nothing did' })),
    response_body: Nullable(
      Type.String({
        description: 'Its first 500 characters; null for private addresses, whose answers are not kept',
      }),
    ),
    error: Nullable(Type.String({ description: 'Why the request did not come to an end' })),
    delivered_at: timestamp({ description: 'When it was tried, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.webhook_delivery] },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>
