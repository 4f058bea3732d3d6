import type { Integration, IntegrationInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'
import { findEnvironmentName } from '../../structure/environments/index.ts'
import { newestWaitingEvent, requireRoom } from '../deliveries/index.ts'
import { toChatAddress } from './chat-address.ts'
import { integrationAudit, type StoredIntegration, toIntegration } from './integration.ts'
import { insertIntegration } from './queries.ts'

export interface IntegrationDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
  readonly data_key: DataKey
  readonly privateTargets: PrivateTargets
}

export interface EnvironmentPlace {
  readonly project_id: string
  readonly environment_id: string
}

/**
 * Connects a chat, which receives events from now on. Refuses with `invalid` an address that must not be
 * reached, and with `conflict` one more than an environment may have.
 */
export async function createIntegration(
  deps: IntegrationDeps,
  actor: Actor,
  { input, place }: { readonly place: EnvironmentPlace; readonly input: IntegrationInput },
): Promise<Integration> {
  const address = toChatAddress(deps, input.webhook_url)
  const { environment_id, project_id } = place
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    if ((await findEnvironmentName(tx, place)) === undefined) throw notFound('environment')
    await requireRoom(tx, 'integrations', environment_id)
    const integration: StoredIntegration = {
      id: deps.newId(),
      environment_id,
      kind: input.kind,
      name: input.name,
      ...address,
      events: [...new Set(input.events ?? [])],
      enabled: input.enabled ?? true,
      created_at: now,
    }
    const after_event_id = await newestWaitingEvent(tx, environment_id)
    await insertIntegration(tx, { ...integration, after_event_id })
    return {
      result: toIntegration(integration),
      audit: integrationAudit({ project_id, action: 'create', before: null, after: integration }),
      changesAccess: false,
    }
  })
}
