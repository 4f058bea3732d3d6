import type { Member } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { memberAudit } from './member-audit.ts'
import { lockMember, type Membership, updateMemberRow } from './queries.ts'

/**
 * Changes a member's role from their next request on. Refuses with `not_found` for a user who is not a
 * member.
 */
export async function changeMemberRole(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  { membership, role }: { readonly membership: Membership; readonly role: Member['role'] },
): Promise<Member> {
  return writeWorkspace(deps, actor, async ({ tx }) => {
    const before = await lockMember(tx, membership)
    if (!before) throw notFound('member')
    await updateMemberRow(tx, membership, role)
    const after = { ...before, role }
    return {
      result: after,
      audit: memberAudit({ project_id: membership.project_id, action: 'update', before, after }),
      changesAccess: true,
    }
  })
}
