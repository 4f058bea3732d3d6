import type { DomainEventType, IntegrationDelivery } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { type Actor, actorName } from '../../kernel/actor.ts'
import type { DomainEventRecord } from '../../kernel/domain-event-payload.ts'
import { notFound, unavailable } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import {
  type DeliveryJob,
  type FinishedAttempt,
  insertSample,
  recordAttempts,
  trimLogsOf,
} from '../deliveries/index.ts'
import type { EnvironmentPlace } from './create-integration.ts'
import { findEnvironmentForEvent, findIntegrationDelivery } from './queries.ts'
import { sampleEvent } from './sample-event.ts'

export interface TestDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly claimSeconds: number
  /** Makes an attempt for a claimed job immediately. Null when the server stopped meanwhile. */
  readonly deliverNow: <T>(
    delivery: { readonly job: DeliveryJob; readonly occurrence: DomainEventRecord },
    record: (attempt: FinishedAttempt) => Promise<T>,
  ) => Promise<T | null>
}

interface TestInput {
  readonly place: EnvironmentPlace
  readonly id: string
  readonly type: DomainEventType
}

/**
 * Sends a sample event like real ones, also to a disabled chat and whatever events it listens to, and returns
 * the result of the first attempt. A failed one is retried like a real one while the chat is enabled. Refuses
 * with `not_found`.
 */
export async function testIntegration(
  { claimSeconds, clock, db, deliverNow }: TestDeps,
  actor: Actor,
  { id, place, type }: TestInput,
): Promise<IntegrationDelivery> {
  const { environment_id, project_id } = place
  const environment = await findEnvironmentForEvent(db, environment_id)
  if (!environment) throw notFound('environment')
  const now = clock.now().toISOString()
  const event = sampleEvent(type, { project_id, environment, actor_email: actorName(actor), now })
  const sample = { project_id, environment_id, integration_id: id, type, event, now, claimSeconds }
  const job = await insertSample(db, sample)
  if (!job) throw notFound('integration')
  const occurrence = { type, occurred_at: now, event }
  const delivery_id = await deliverNow({ job, occurrence }, async (attempt) => {
    const { integrationDeliveryIds } = await recordAttempts(db, [attempt])
    await trimLogsOf(db, [attempt])
    return integrationDeliveryIds[0] ?? null
  })
  if (delivery_id === null) {
    throw unavailable(
      'The server stopped, or the integration was deleted, before the sample was sent. Try again.',
    )
  }
  const delivery = await findIntegrationDelivery(db, delivery_id)
  if (!delivery) throw notFound('integration')
  return delivery
}
