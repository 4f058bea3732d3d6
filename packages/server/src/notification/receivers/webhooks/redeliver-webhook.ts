import { type WorkspaceWriteDeps, writeWorkspace } from '../../../changes/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { conflict, notFound } from '../../../kernel/refusal.ts'
import { queueAgain } from '../../deliveries/index.ts'
import type { EnvironmentPlace } from '../receiver.ts'
import { webhookDeliveryExists } from './queries.ts'

export interface RedeliverDeps extends WorkspaceWriteDeps {
  /** Announces to this instance that there is something to send. */
  readonly onQueued: () => void
}

interface RedeliverInput {
  readonly place: EnvironmentPlace
  readonly webhook_id: string
  readonly delivery_id: number
}

/**
 * Queues the event of a logged attempt again, under the same message id. Refuses with `not_found`, and with
 * `conflict` when the event was pruned.
 */
export async function redeliverWebhook(
  deps: RedeliverDeps,
  actor: Actor,
  { delivery_id, place, webhook_id }: RedeliverInput,
): Promise<void> {
  const { environment_id, project_id } = place
  await writeWorkspace(deps, actor, async ({ afterCommit, tx }) => {
    if (!(await webhookDeliveryExists(tx, environment_id, { webhook_id, id: delivery_id })))
      throw notFound('webhook delivery')
    if (!(await queueAgain(tx, { webhook_id, delivery_id })))
      throw conflict('The event of this delivery was pruned, so it cannot be sent again.')
    afterCommit(deps.onQueued)
    return {
      result: undefined,
      audit: {
        ...{ project_id, environment_id, action: 'update', before: null, after: null },
        metadata: { origin: 'direct', resource: `webhook:${webhook_id}`, redelivered: delivery_id },
      },
      changesAccess: false,
    }
  })
}
