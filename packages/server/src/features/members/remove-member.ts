import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { memberAudit } from './member-audit.ts'
import { deleteMemberRow, lockMember, type Membership } from './queries.ts'

/**
 * Ends a user's access to a project; the account stays, and open streams lose the project's environments.
 * Refuses with `not_found` for a user who is not a member.
 */
export async function removeMember(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  membership: Membership,
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockMember(tx, membership)
    if (!before) throw notFound('member')
    await deleteMemberRow(tx, membership)
    return {
      result: undefined,
      audit: memberAudit({ project_id: membership.project_id, action: 'delete', before, after: null }),
      changesAccess: true,
    }
  })
}
