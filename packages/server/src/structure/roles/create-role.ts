import { type CustomRole, type CustomRoleInput, ROLES_MAX } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/refusal.ts'
import { insertRoleRow, lockRoleCount } from './queries.ts'
import { roleAudit } from './role-audit.ts'

/** Creates a custom role. Refuses with `conflict` when the key exists or the workspace has too many roles. */
export async function createRole(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { description = '', key, name, permissions }: CustomRoleInput,
): Promise<CustomRole> {
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    const count = await lockRoleCount(tx)
    if (count >= ROLES_MAX) {
      throw conflict(`A workspace has at most ${ROLES_MAX} roles. Delete one that no member has.`)
    }
    if (!(await insertRoleRow(tx, { key, name, description, permissions, created_at: now }))) {
      throw conflict(`The role ${key} exists already. Choose another key.`)
    }
    const role = { key, name, description, permissions, created_at: now }
    const after: CustomRole = { ...role, is_built_in: false, member_count: 0, override_count: 0 }
    return {
      result: after,
      audit: roleAudit({ action: 'create', before: null, after }),
      // No member has it yet.
      changesAccess: false,
    }
  })
}
