import type { ApprovalInput, Environment } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'

/**
 * Switches the approval of changes. Without a scope a switch that was off starts with `patch`, and one that is on keeps
 * its own. Refuses with `forbidden` when anybody but a workspace admin would open what is guarded.
 */
export async function requireApproval(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { input, place }: { readonly place: EnvironmentPlace; readonly input: ApprovalInput },
): Promise<Environment> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockEnvironmentOf(tx, place)
    if (!before) throw notFound('environment')
    const { require_approval } = input
    const approval_scope = input.approval_scope ?? (before.require_approval ? before.approval_scope : 'patch')
    const after = { ...before, require_approval, approval_scope }
    if (isGuarded(before) && !isGuarded(after) && !isWorkspaceAdmin(actor)) {
      throw forbidden('Every change needs approval here. Only a workspace admin may end that.')
    }
    await updateEnvironmentRow(tx, before.id, { require_approval, approval_scope })
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changes_access: false,
    }
  })
}
