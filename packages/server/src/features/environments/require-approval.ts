import type { ApprovalInput, Environment } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'
import { SET_BY_PEOPLE } from './update-environment.ts'

/**
 * Sets whether changes need approval. Without a scope, enabling starts with `patch`, and an enabled setting
 * keeps its scope. When every change comes to need approval, keys may not manage the environment any more
 * unless the call says otherwise. Refuses with `forbidden` when a caller other than a workspace admin would
 * remove full approval, or when a key would set what keys may do.
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
    const becomesGuarded = isGuarded({ require_approval, approval_scope }) && !isGuarded(before)
    const unsaid = becomesGuarded ? false : before.keys_may_manage
    const keys_may_manage = input.keys_may_manage ?? unsaid
    if (keys_may_manage !== unsaid && actor.kind === 'sdk_key') throw forbidden(SET_BY_PEOPLE)
    const set = { require_approval, approval_scope, keys_may_manage }
    if (isGuarded(before) && !isGuarded(set) && !isWorkspaceAdmin(actor)) {
      throw forbidden('Every change needs approval here. Only a workspace admin may end that.')
    }
    const after = await updateEnvironmentRow(tx, before.id, set)
    return {
      result: after,
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changesAccess: keys_may_manage !== before.keys_may_manage,
    }
  })
}
