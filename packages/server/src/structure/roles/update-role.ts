import type { CustomRole, CustomRolePatch } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import { lockRoleRow, updateRoleRow } from './queries.ts'
import { toCustomRole } from './role.ts'
import { roleAudit } from './role-audit.ts'

/**
 * Changes a custom role, for every member with it. Refuses with `not_found`, and with `conflict` for a
 * built-in role.
 */
export async function updateRole(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { key, patch }: { readonly key: string; readonly patch: CustomRolePatch },
): Promise<CustomRole> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const row = await lockRoleRow(tx, key)
    if (!row) throw notFound('role')
    const before = toCustomRole(row)
    if (before.is_built_in)
      throw conflict(`The role ${key} is built in and cannot be changed. Create another one.`)
    const { description = before.description, name = before.name, permissions = before.permissions } = patch
    await updateRoleRow(tx, key, { name, description, permissions })
    const after: CustomRole = { ...before, name, description, permissions }
    return { result: after, audit: roleAudit({ action: 'update', before, after }), changesAccess: true }
  })
}
