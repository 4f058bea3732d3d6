import type { Workspace } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { lockWorkspaceName, updateWorkspaceName } from './queries.ts'

/** Renames the workspace. */
export async function renameWorkspace(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { workspace_name }: Workspace,
): Promise<Workspace> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockWorkspaceName(tx)
    await updateWorkspaceName(tx, workspace_name)
    return {
      result: { workspace_name },
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before,
        after: { workspace_name },
        // The one thing of its kind: it has no id.
        metadata: { origin: 'direct', resource: 'workspace' },
      },
      changes_access: false,
    }
  })
}
