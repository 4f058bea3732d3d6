import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { requireKeyReach } from './key-reach.ts'
import { deleteSdkKey, lockSdkKeys } from './queries.ts'

/**
 * Revokes a key, at once and everywhere. Refuses with `not_found`, with `forbidden` when a key names one of another
 * environment, and with `invalid` for the project's last key: of two revoked at the same time one stays.
 */
export async function revokeSdkKey(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { id, project_id }: { readonly project_id: string; readonly id: number },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const keys = await lockSdkKeys(tx, project_id)
    const key = keys.find((candidate) => candidate.id === id)
    if (!key) throw notFound('sdk key')
    requireKeyReach(actor, key.environment_id)
    if (keys.length === 1) {
      throw invalid([{ path: '', message: 'The last SDK key of a project cannot be revoked.' }])
    }
    await deleteSdkKey(tx, id)
    return {
      result: undefined,
      audit: {
        project_id,
        environment_id: key.environment_id,
        action: 'delete',
        before: key,
        after: null,
        metadata: { origin: 'direct', resource: `sdk_key:${id}` },
      },
      changes_access: true,
    }
  })
}
