import { Type } from 'typebox'

/** The events that webhooks and chats receive (docs/reference/events.md#domain-events). */
export const DOMAIN_EVENTS = [
  'flag.created',
  'flag.updated',
  'flag.deleted',
  'flag.promoted',
  'change_request.opened',
  'change_request.approved',
  'change_request.rejected',
] as const
export type DomainEventType = (typeof DOMAIN_EVENTS)[number]

export const DomainEventName = Type.Enum([...DOMAIN_EVENTS], { description: 'What happened' })
