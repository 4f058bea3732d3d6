import type { Webhook, WebhookInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { PrivateTargets } from '../../platform/outbound/private-targets.ts'
import { findEnvironmentName } from '../../structure/environments/index.ts'
import { newestWaitingEvent, requireRoom } from '../deliveries/index.ts'
import { insertWebhook } from './queries.ts'
import { requireUrl } from './require-url.ts'
import { type StoredWebhook, sealSecret, toWebhook, webhookAudit } from './webhook.ts'

export interface WebhookDeps extends WorkspaceWriteDeps {
  readonly newId: () => string
  readonly data_key: DataKey
  readonly privateTargets: PrivateTargets
}

export interface EnvironmentPlace {
  readonly project_id: string
  readonly environment_id: string
}

/**
 * Creates a webhook, which receives events from now on. Refuses with `invalid` a URL that must not be
 * reached, and with `conflict` one more than an environment may have.
 */
export async function createWebhook(
  deps: WebhookDeps,
  actor: Actor,
  { input, place }: { readonly place: EnvironmentPlace; readonly input: WebhookInput },
): Promise<Webhook> {
  requireUrl(deps, input.url)
  const { environment_id, project_id } = place
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    if ((await findEnvironmentName(tx, place)) === undefined) throw notFound('environment')
    await requireRoom(tx, 'webhooks', environment_id)
    const webhook: StoredWebhook = {
      id: deps.newId(),
      environment_id,
      name: input.name,
      url: input.url,
      secret_sealed: sealSecret(deps.data_key.seal, input.secret ?? null),
      enabled: input.enabled ?? true,
      created_at: now,
    }
    await insertWebhook(tx, { ...webhook, after_event_id: await newestWaitingEvent(tx, environment_id) })
    return {
      result: toWebhook(webhook),
      audit: webhookAudit({ project_id, action: 'create', before: null, after: webhook }),
      changesAccess: false,
    }
  })
}
