import type { Member, MemberInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { conflict, invalid, notFound } from '../../kernel/refusal.ts'
import { lockProjectForShare } from '../environments/index.ts'
import { memberAudit } from './member-audit.ts'
import { insertMemberRow, lockMember, lockUserForShare, readMembership } from './queries.ts'
import { type Granter, requireGrantable, requireRoles } from './require-grant.ts'

/**
 * Makes a user a member of a project; their streams gain its environments. Roles in single environments that
 * an earlier membership has left behind are in force again, and the result has them. Refuses with `invalid`
 * when the user or the role does not exist, with `forbidden` when the role, or one of those, permits more
 * than the actor may do, and with `conflict` when they already are a member.
 */
export async function addMember(
  deps: WorkspaceWriteDeps,
  granter: Granter,
  { input, project_id }: { readonly project_id: string; readonly input: MemberInput },
): Promise<Member> {
  const { role, user_id } = input
  return writeWorkspace(deps, granter.actor, async ({ now, tx }) => {
    if (!(await lockProjectForShare(tx, project_id))) throw notFound('project')
    if (!(await lockUserForShare(tx, user_id)))
      throw invalid([{ path: '/user_id', message: 'must be the id of a user of this workspace' }])
    const grant = (await requireRoles(tx, [{ path: '/role', role }])).get(role)
    if (grant) requireGrantable(granter, { inProject: grant, overrides: new Map() })
    if (!(await insertMemberRow(tx, { project_id, user_id, role, source: 'manual', created_at: now }))) {
      throw conflict('That user is a member of the project already. Change the role instead.')
    }
    const membership = { project_id, user_id }
    requireGrantable(granter, await readMembership(tx, membership))
    const added = await lockMember(tx, membership)
    if (!added) throw notFound('member')
    return {
      result: added,
      audit: memberAudit({ project_id, action: 'create', before: null, after: added }),
      changesAccess: true,
    }
  })
}
