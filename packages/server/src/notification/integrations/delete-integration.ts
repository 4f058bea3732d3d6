import { writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EnvironmentPlace, IntegrationDeps } from './create-integration.ts'
import { integrationAudit } from './integration.ts'
import { deleteIntegrationRow, lockIntegration } from './queries.ts'

/** Disconnects a chat, with its log and its pending deliveries. Refuses with `not_found`. */
export async function deleteIntegration(
  deps: IntegrationDeps,
  actor: Actor,
  { id, place }: { readonly place: EnvironmentPlace; readonly id: string },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockIntegration(tx, { environment_id: place.environment_id, id })
    if (!before) throw notFound('integration')
    await deleteIntegrationRow(tx, before.id)
    return {
      result: undefined,
      audit: integrationAudit({ project_id: place.project_id, action: 'delete', before, after: null }),
      changesAccess: false,
    }
  })
}
