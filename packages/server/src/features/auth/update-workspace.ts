import type { WorkspacePatch, WorkspaceSettings } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { lockWorkspaceSettings, updateWorkspaceSettings } from './queries.ts'

/** Renames the workspace, and sets whether SDK keys may manage environments anywhere in it. */
export async function updateWorkspace(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  patch: WorkspacePatch,
): Promise<WorkspaceSettings> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockWorkspaceSettings(tx)
    const { keys_may_manage = before.keys_may_manage, workspace_name = before.workspace_name } = patch
    const after = { workspace_name, keys_may_manage }
    await updateWorkspaceSettings(tx, after)
    return {
      result: after,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before,
        after,
        // There is only one workspace, so it has no id.
        metadata: { origin: 'direct', resource: 'workspace' },
      },
      changesAccess: keys_may_manage !== before.keys_may_manage,
    }
  })
}
