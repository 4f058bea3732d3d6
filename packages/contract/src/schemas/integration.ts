import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { WEBHOOK_URL_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, Nullable, name, uuid } from './common.ts'
import { deliveryFields, lastDelivery } from './delivery.ts'
import { DomainEventName } from './domain-event.ts'

const kind = Type.Enum(['slack', 'teams'], {
  description: 'The provider, which decides the format of messages',
})
const events = Type.Array(DomainEventName, {
  description: 'The events that it receives; an empty list means all of them',
})
const webhook_url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX_LENGTH,
  format: 'plain-url',
  writeOnly: true,
  description: 'The address from the chat; https, or http on this machine. It is never shown again',
})

/** A chat that receives domain events (docs/reference/events.md#slack-and-teams). */
export const Integration = Type.Object(
  {
    id: uuid({ description: 'Names the integration in paths', readOnly: true }),
    environment_id: uuid({ description: 'The environment whose events it receives', readOnly: true }),
    kind,
    name: Type.String(),
    webhook_url_preview: Type.String({ description: 'The start of the address and six dots' }),
    events,
    enabled: Type.Boolean({ description: 'False while it receives nothing' }),
    created_at: CreatedAt,
    last_delivery: lastDelivery,
  },
  { examples: [EXAMPLE_SHOP.integration] },
)
export type Integration = Static<typeof Integration>

export const IntegrationInput = Type.Object(
  {
    kind,
    name: name({}),
    webhook_url,
    events: Type.Optional(Nullable(events)),
    enabled: Type.Optional(Type.Boolean({ description: 'True by default' })),
  },
  {
    examples: [
      {
        kind: 'slack',
        name: 'Releases',
        webhook_url: 'https://hooks.example.com/services/T000/B000/XXXX',
        events: ['flag.updated'],
      },
    ],
  },
)
export type IntegrationInput = Static<typeof IntegrationInput>

export const IntegrationPatch = Type.Object(
  {
    name: Type.Optional(name({})),
    webhook_url: Type.Optional(webhook_url),
    events: Type.Optional(Nullable(events)),
    enabled: Type.Optional(Type.Boolean({ description: 'False while it receives nothing' })),
  },
  { examples: [{ events: [] }] },
)
export type IntegrationPatch = Static<typeof IntegrationPatch>

export const IntegrationTest = Type.Object(
  { event: Type.Optional(Nullable(DomainEventName)) },
  { examples: [{ event: 'flag.updated' }] },
)

/** One attempt to deliver an event to a chat. */
export const IntegrationDelivery = Type.Object(
  {
    ...deliveryFields,
    integration_id: uuid({ description: 'The chat integration that received it' }),
  },
  { examples: [EXAMPLE_SHOP.integrationDelivery] },
)
export type IntegrationDelivery = Static<typeof IntegrationDelivery>
