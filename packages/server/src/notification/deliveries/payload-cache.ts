import type { DomainEventRecord } from '../../kernel/domain-event-payload.ts'
import type { Receiver } from './delivery-job.ts'

/** Returns the body for an event, in UTF-8. */
export type BodyFor = (kind: Receiver['kind'], occurrence: DomainEventRecord) => Buffer

/**
 * Creates a cache that builds the body of an event once for each kind of receiver: a flag may be a megabyte.
 * Bodies are kept as long as the event.
 */
export function createPayloadCache(
  toChatMessage: (kind: 'slack' | 'teams', occurrence: DomainEventRecord) => object,
): BodyFor {
  const written = new WeakMap<DomainEventRecord, Map<Receiver['kind'], Buffer>>()
  return (kind, occurrence) => {
    const ofOccurrence = written.get(occurrence) ?? new Map<Receiver['kind'], Buffer>()
    written.set(occurrence, ofOccurrence)
    const body = ofOccurrence.get(kind) ?? Buffer.from(JSON.stringify(toMessage(kind, occurrence)))
    ofOccurrence.set(kind, body)
    return body
  }

  function toMessage(kind: Receiver['kind'], occurrence: DomainEventRecord): object {
    if (kind !== 'webhook') return toChatMessage(kind, occurrence)
    const { event, occurred_at, type } = occurrence
    return { type, timestamp: occurred_at, data: event }
  }
}
