import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { WEBHOOK_URL_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, integerId, Nullable, name, timestamp, uuid } from './common.ts'
import { DomainEventName } from './domain-event.ts'

const kind = Type.Enum(['slack', 'teams'], { description: 'Whose kind of message is sent' })
const events = Type.Array(DomainEventName, {
  description: 'The events that it receives; an empty list means all of them',
})
const webhook_url = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_MAX_LENGTH,
  writeOnly: true,
  description: 'The address that the chat gave out; https, or http on this machine. Never shown again',
})

/** A chat that receives domain events (docs/reference/events.md#slack-and-teams). */
export const Integration = Type.Object(
  {
    id: uuid({ description: 'Names the integration in paths', readOnly: true }),
    environment_id: uuid({ description: 'The environment whose events it receives', readOnly: true }),
    kind,
    name: Type.String(),
    webhook_url_preview: Type.String({ description: 'The beginning of the address and six dots' }),
    events,
    enabled: Type.Boolean({ description: 'A disabled one receives nothing' }),
    created_at: CreatedAt,
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
    enabled: Type.Optional(Type.Boolean({ description: 'True where it is not said' })),
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
    enabled: Type.Optional(Type.Boolean({ description: 'A disabled one receives nothing' })),
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
    id: integerId({ description: 'Grows with time' }),
    integration_id: uuid({ description: 'Whom it was sent to' }),
    event: Type.String({ description: 'The event that was delivered' }),
    attempt: Type.Integer({ description: '1 for the first' }),
    status_code: Nullable(Type.Integer({ description: 'What came back; null when nothing did' })),
    response_body: Nullable(
      Type.String({
        description: 'Its first 500 characters; null for private addresses, whose answers are not kept',
      }),
    ),
    error: Nullable(Type.String({ description: 'Why the request did not come to an end' })),
    duration_ms: Type.Integer({ description: 'How long it took' }),
    delivered_at: timestamp({ description: 'When it was tried, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.integrationDelivery] },
)
export type IntegrationDelivery = Static<typeof IntegrationDelivery>
