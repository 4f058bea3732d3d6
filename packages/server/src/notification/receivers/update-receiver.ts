import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { dropJobsOf, dropJobsOfOtherEvents, newestWaitingEvent } from '../deliveries/index.ts'
import { lockReceiver, updateReceiverRow } from './queries.ts'
import {
  type EnvironmentPlace,
  type ReceiverDeps,
  type ReceiverKind,
  receiverAudit,
  type StoredReceiver,
} from './receiver.ts'

/**
 * Changes the given fields. Disabling drops pending deliveries, as does leaving out their event, and events
 * that occur while it is disabled are not sent later. Refuses with `not_found`, and with `invalid` for an
 * address that must not be reached.
 */
export async function updateReceiver<Stored extends StoredReceiver, Shown extends object, Input, Patch>(
  kind: ReceiverKind<Stored, Shown, Input, Patch>,
  deps: ReceiverDeps,
  actor: Actor,
  { id, patch, place }: { readonly place: EnvironmentPlace; readonly id: string; readonly patch: Patch },
): Promise<Shown> {
  const changed = kind.change(deps, patch)
  const { environment_id, project_id } = place
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockReceiver<Stored>(tx, kind.tables, { environment_id, id })
    if (!before) throw notFound(kind.noun)
    const after: Stored = { ...before, ...changed }
    const isBack = after.enabled && !before.enabled
    await updateReceiverRow(tx, kind.tables, id, {
      enabled: after.enabled,
      ...changed,
      ...(isBack && { after_event_id: await newestWaitingEvent(tx, environment_id) }),
    })
    if (!after.enabled) await dropJobsOf(tx, id)
    const events = kind.eventsOf(after)
    if (events.length > 0) await dropJobsOfOtherEvents(tx, id, events)
    return {
      result: kind.toShown(after),
      audit: receiverAudit(kind, { project_id, action: 'update', before, after }),
      changesAccess: false,
    }
  })
}
