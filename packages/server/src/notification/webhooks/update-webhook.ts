import type { Webhook, WebhookPatch } from '@burgee/contract'
import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { dropJobsOf, newestWaitingEvent } from '../deliveries/index.ts'
import type { EnvironmentPlace, WebhookDeps } from './create-webhook.ts'
import { lockWebhook, updateWebhookRow } from './queries.ts'
import { requireUrl } from './require-url.ts'
import { sealSecret, toWebhook, webhookAudit } from './webhook.ts'

/**
 * Changes the given fields; `secret: null` removes the secret. Disabling drops pending deliveries, and events
 * that occur while it is disabled are not sent later. Refuses with `not_found`, and with `invalid` for a URL
 * that must not be reached.
 */
export async function updateWebhook(
  deps: WebhookDeps,
  actor: Actor,
  {
    id,
    patch,
    place,
  }: { readonly place: EnvironmentPlace; readonly id: string; readonly patch: WebhookPatch },
): Promise<Webhook> {
  if (patch.url !== undefined) requireUrl(deps, patch.url)
  const { environment_id, project_id } = place
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockWebhook(tx, { environment_id, id })
    if (!before) throw notFound('webhook')
    const { enabled = before.enabled, name = before.name, secret, url = before.url } = patch
    const secret_sealed = secret === undefined ? before.secret_sealed : sealSecret(deps.data_key.seal, secret)
    const set = { name, url, secret_sealed, enabled }
    const isBack = enabled && !before.enabled
    await updateWebhookRow(tx, before.id, {
      ...set,
      ...(isBack && { after_event_id: await newestWaitingEvent(tx, environment_id) }),
    })
    if (!enabled) await dropJobsOf(tx, before.id)
    const after = { ...before, ...set }
    return {
      result: toWebhook(after),
      audit: webhookAudit({ project_id, action: 'update', before, after }),
      changesAccess: false,
    }
  })
}
