import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import { memberAudit } from './member-audit.ts'
import {
  deleteEnvironmentRoles,
  deleteMemberRow,
  lockMember,
  type Membership,
  readMembership,
} from './queries.ts'
import { type Granter, requireGrantable } from './require-grant.ts'

/**
 * Ends a user's access to a project; the account stays, and open streams lose the project's environments.
 * Refuses with `not_found` for a user who is not a member, and with `forbidden` for one whose roles permit
 * more than the actor may do.
 */
export async function removeMember(
  deps: WorkspaceWriteDeps,
  granter: Granter,
  membership: Membership,
): Promise<void> {
  await writeWorkspace(deps, granter.actor, async ({ tx }) => {
    const before = await lockMember(tx, membership)
    if (!before) throw notFound('member')
    requireGrantable(granter, await readMembership(tx, membership))
    await deleteEnvironmentRoles(tx, membership)
    await deleteMemberRow(tx, membership)
    return {
      result: undefined,
      audit: memberAudit({ project_id: membership.project_id, action: 'delete', before, after: null }),
      changesAccess: true,
    }
  })
}
