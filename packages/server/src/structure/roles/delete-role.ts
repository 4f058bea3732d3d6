import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { deleteRoleRow, isApproverRole, lockRoleRow } from './queries.ts'
import { toCustomRole } from './role.ts'
import { roleAudit } from './role-audit.ts'

export interface DeleteRoleDeps extends WorkspaceWriteDeps {
  /** Returns whether a mapping of groups names the role. */
  readonly isMappedRole: (tx: Transaction<Database>, key: string) => Promise<boolean>
}

/**
 * Deletes a custom role. Refuses with `not_found`, and with `conflict` for a built-in role or one that a
 * member has.
 */
export async function deleteRole(deps: DeleteRoleDeps, actor: Actor, key: string): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const row = await lockRoleRow(tx, key)
    if (!row) throw notFound('role')
    const before = toCustomRole(row)
    if (before.is_built_in) throw conflict(`The role ${key} is built in and cannot be deleted.`)
    const uses = before.member_count + before.override_count
    if (uses > 0) {
      throw conflict(
        `${uses === 1 ? 'One membership has' : `${uses} memberships have`} the role ${key}. Give these members another role first.`,
      )
    }
    if ((await deps.isMappedRole(tx, key)) || (await isApproverRole(tx, key))) {
      throw conflict(
        `A group mapping or the approvers of an environment name the role ${key}. Change them first.`,
      )
    }
    await deleteRoleRow(tx, key)
    return {
      result: undefined,
      audit: roleAudit({ action: 'delete', before, after: null }),
      changesAccess: false,
    }
  })
}
