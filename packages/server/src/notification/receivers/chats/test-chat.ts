import type { DomainEventType, IntegrationDelivery } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../../changes/index.ts'
import { type Actor, actorName } from '../../../kernel/actor.ts'
import { notFound, unavailable } from '../../../kernel/refusal.ts'
import { rowExists } from '../../../platform/db/row-exists.ts'
import type { Deliveries } from '../../deliveries/index.ts'
import { findDelivery } from '../log-queries.ts'
import type { EnvironmentPlace } from '../receiver.ts'
import { CHAT } from './chat.ts'
import { findEnvironmentForEvent } from './queries.ts'
import { sampleEvent } from './sample-event.ts'

export interface TestDeps extends WorkspaceWriteDeps {
  readonly sendSample: Deliveries['sendSample']
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
export async function testChat(
  deps: TestDeps,
  actor: Actor,
  { id, place, type }: TestInput,
): Promise<IntegrationDelivery> {
  const { clock, db, sendSample } = deps
  const { environment_id, project_id } = place
  const environment = await findEnvironmentForEvent(db, environment_id)
  if (!environment) throw notFound('environment')
  await recordTest(deps, actor, { id, place, type })
  const now = clock.now().toISOString()
  const event = sampleEvent(type, { project_id, environment, actor_email: actorName(actor), now })
  const sent = await sendSample({ project_id, environment_id, integration_id: id, type, event, now })
  if (sent === 'no_integration') throw notFound('integration')
  if (sent === 'aborted') {
    throw unavailable(
      'The server stopped, or the integration was deleted, before the sample was sent. Try again.',
    )
  }
  const delivery = await findDelivery<IntegrationDelivery>(db, CHAT.tables, sent.delivery_id)
  if (!delivery) throw notFound('integration')
  return delivery
}

/** Stores the audit entry before the message leaves: a chat that was written to is never without one. */
async function recordTest(deps: TestDeps, actor: Actor, { id, place, type }: TestInput): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    if (!(await rowExists(tx, 'integrations', { environment_id: place.environment_id, id })))
      throw notFound('integration')
    return {
      result: undefined,
      audit: {
        ...{ ...place, action: 'update', before: null, after: null },
        metadata: { origin: 'direct', resource: `integration:${id}`, tested: type },
      },
      changesAccess: false,
    }
  })
}
