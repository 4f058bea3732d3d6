import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { WEBHOOK_URL_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, Nullable, name, uuid } from './common.ts'
import { deliveryFields, lastDelivery } from './delivery.ts'
import { Warning } from './warning.ts'

const url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX_LENGTH,
  format: 'plain-url',
  description: 'Where events are posted; http or https. Link-local and metadata addresses are never reached',
})
const secret = Type.String({
  writeOnly: true,
  description:
    'The secret for signatures; never shown again. After `whsec_` it is base64 of its bytes; of any other text the UTF-8 bytes are used',
})

/** A receiver of domain events (docs/reference/events.md#webhooks). */
export const Webhook = Type.Object(
  {
    id: uuid({ description: 'Names the webhook in paths', readOnly: true }),
    environment_id: uuid({ description: 'The environment whose events it receives', readOnly: true }),
    name: Type.String(),
    url: Type.String({ description: 'Where events are posted' }),
    has_secret: Type.Boolean({ description: 'True when deliveries are signed' }),
    enabled: Type.Boolean({ description: 'False while it receives nothing' }),
    created_at: CreatedAt,
    last_delivery: lastDelivery,
  },
  { examples: [EXAMPLE_SHOP.webhook] },
)
export type Webhook = Static<typeof Webhook>

/** A webhook in the response to a write. */
export const WrittenWebhook = Type.Intersect([
  Webhook,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Warnings about probable mistakes; absent when there are none' }),
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
    enabled: Type.Optional(Type.Boolean({ description: 'True by default' })),
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
    enabled: Type.Optional(Type.Boolean({ description: 'False while it receives nothing' })),
  },
  { examples: [{ enabled: false }] },
)
export type WebhookPatch = Static<typeof WebhookPatch>

/** One attempt to deliver an event to a webhook. */
export const WebhookDelivery = Type.Object(
  {
    ...deliveryFields,
    webhook_id: uuid({ description: 'The webhook that received it' }),
  },
  { examples: [EXAMPLE_SHOP.webhook_delivery] },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>
