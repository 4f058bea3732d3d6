import type { Kysely } from 'kysely'
import { conflict, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { queueAgain } from '../deliveries/index.ts'
import { webhookDeliveryExists } from './queries.ts'

export interface RedeliverDeps {
  readonly db: Kysely<Database>
  /** Announces to this instance that there is something to send. */
  readonly onQueued: () => void
}

interface RedeliverInput {
  readonly environment_id: string
  readonly webhook_id: string
  readonly delivery_id: number
}

/**
 * Queues the event of a logged attempt again, under the same message id. Refuses with `not_found`, and with
 * `conflict` when the event was pruned.
 */
export async function redeliverWebhook(
  { db, onQueued }: RedeliverDeps,
  { delivery_id, environment_id, webhook_id }: RedeliverInput,
): Promise<void> {
  if (!(await webhookDeliveryExists(db, environment_id, { webhook_id, id: delivery_id }))) {
    throw notFound('webhook delivery')
  }
  if (!(await queueAgain(db, { webhook_id, delivery_id }))) {
    throw conflict('The event of this delivery was pruned, so it cannot be sent again.')
  }
  onQueued()
}
