import type { Integration, IntegrationPatch } from '@burgee/contract'
import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { dropJobsOf, dropJobsOfOtherEvents, newestWaitingEvent } from '../deliveries/index.ts'
import { toChatAddress } from './chat-address.ts'
import type { EnvironmentPlace, IntegrationDeps } from './create-integration.ts'
import { integrationAudit, type StoredIntegration, toIntegration } from './integration.ts'
import { lockIntegration, updateIntegrationRow } from './queries.ts'

/**
 * Changes the given fields; the kind stays, and `events: null` means all. Disabling drops pending deliveries,
 * as does leaving out their event, and events that occur while it is disabled are not sent later. Refuses
 * with `not_found`, and with `invalid` for an address that must not be reached.
 */
export async function updateIntegration(
  deps: IntegrationDeps,
  actor: Actor,
  {
    id,
    patch,
    place,
  }: { readonly place: EnvironmentPlace; readonly id: string; readonly patch: IntegrationPatch },
): Promise<Integration> {
  const { environment_id, project_id } = place
  const address = patch.webhook_url === undefined ? {} : toChatAddress(deps, patch.webhook_url)
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockIntegration(tx, { environment_id, id })
    if (!before) throw notFound('integration')
    const after: StoredIntegration = {
      ...before,
      ...address,
      name: patch.name ?? before.name,
      events: patch.events === undefined ? before.events : [...new Set(patch.events ?? [])],
      enabled: patch.enabled ?? before.enabled,
    }
    const { enabled, events, name, webhook_url_preview, webhook_url_sealed } = after
    const isBack = enabled && !before.enabled
    await updateIntegrationRow(tx, before.id, {
      ...{ name, webhook_url_preview, webhook_url_sealed, events, enabled },
      ...(isBack && { after_event_id: await newestWaitingEvent(tx, environment_id) }),
    })
    if (!enabled) await dropJobsOf(tx, before.id)
    if (events.length > 0) await dropJobsOfOtherEvents(tx, before.id, events)
    return {
      result: toIntegration(after),
      audit: integrationAudit({ project_id, action: 'update', before, after }),
      changesAccess: false,
    }
  })
}
