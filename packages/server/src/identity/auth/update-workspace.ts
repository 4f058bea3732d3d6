import type { WorkspacePatch, WorkspaceSettings } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { changeWorkspace } from '../../platform/db/workspace-row.ts'
import { lockWorkspaceSettings } from './queries.ts'

/**
 * Renames the workspace, and sets whether SDK keys may manage environments anywhere in it and whether
 * accounts need a second factor.
 */
export async function updateWorkspace(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  patch: WorkspacePatch,
): Promise<WorkspaceSettings> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const before = await lockWorkspaceSettings(tx)
    const {
      keys_may_manage = before.keys_may_manage,
      second_factor = before.second_factor,
      second_factor_grace_days = before.second_factor_grace_days,
      workspace_name = before.workspace_name,
    } = patch
    const after = { workspace_name, keys_may_manage, second_factor, second_factor_grace_days }
    const isNewRule = second_factor !== before.second_factor
    const second_factor_required_at = second_factor === 'required' ? now : null
    await changeWorkspace(tx, { ...after, ...(isNewRule && { second_factor_required_at }) })
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
      changesAccess:
        keys_may_manage !== before.keys_may_manage ||
        isNewRule ||
        second_factor_grace_days !== before.second_factor_grace_days,
    }
  })
}
