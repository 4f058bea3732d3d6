import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EnvironmentPlace, WebhookDeps } from './create-webhook.ts'
import { deleteWebhookRow, lockWebhook } from './queries.ts'
import { webhookAudit } from './webhook.ts'

/** Deletes a webhook with its log and its pending deliveries. Refuses with `not_found`. */
export async function deleteWebhook(
  deps: WebhookDeps,
  actor: Actor,
  { id, place }: { readonly place: EnvironmentPlace; readonly id: string },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockWebhook(tx, { environment_id: place.environment_id, id })
    if (!before) throw notFound('webhook')
    await deleteWebhookRow(tx, before.id)
    return {
      result: undefined,
      audit: webhookAudit({ project_id: place.project_id, action: 'delete', before, after: null }),
      changesAccess: false,
    }
  })
}
