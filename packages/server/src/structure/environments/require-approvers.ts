import { type Approvers, type Environment, isAllowed } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'
import type { Transaction } from 'kysely'
import { invalid } from '../../kernel/refusal.ts'
import { grantIn } from '../../kernel/scope.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockRolesForShare, toGrant } from '../roles/index.ts'
import type { EnvironmentPlace } from './queries.ts'
import { type ApproverUser, findApproverUsers } from './user-queries.ts'

type Settings = Pick<Environment, 'approvers' | 'min_approvals'>

/**
 * Refuses approvers who do not exist or, unless they are on the list already, may not review; and a list of
 * fewer users than must approve.
 */
export async function requireApprovers(
  tx: Transaction<Database>,
  { before, environment_id, project_id }: EnvironmentPlace & { readonly before: Settings },
  { approvers, min_approvals }: Settings,
): Promise<void> {
  const userIds = approvers.flatMap((one) => ('user_id' in one ? [one.user_id] : []))
  const roles = approvers.flatMap((one) => ('role' in one ? [one.role] : []))
  const users = await findApproverUsers(tx, userIds, project_id)
  const known = roles.length === 0 ? new Map() : await lockRolesForShare(tx, [...new Set(roles)])
  const findProblem = (one: Approvers[number]): string | null => {
    const isKept = before.approvers.some((other) => deepEqual(one, other))
    if ('user_id' in one) {
      const user = users.get(one.user_id)
      if (!user) return 'must be a user'
      return isKept ? null : findUserProblem(user, environment_id)
    }
    const role = known.get(one.role)
    if (!role) return 'must be viewer, editor, admin or a custom role'
    const mayReview = isKept || toGrant(role).permissions.has('review_changes')
    return mayReview ? null : `${one.role} has no permission review_changes, so its members could not approve`
  }
  const problems = approvers.flatMap((one, index) => {
    const message = findProblem(one)
    return message === null ? [] : [{ path: `/approvers/${index}`, message }]
  })
  if (problems.length > 0) throw invalid(problems)
  const isTooShort = approvers.length > 0 && roles.length === 0 && users.size < min_approvals
  if (!isTooShort) return
  const message = `names ${users.size} users, and ${min_approvals} must approve; name more or lower min_approvals`
  throw invalid([{ path: '/approvers', message }])
}

function findUserProblem(
  { disabled_at, id, membership, role }: ApproverUser,
  environment_id: string,
): string | null {
  if (disabled_at !== null) return `user ${id} is disabled; enable the account first`
  const permissions = membership ? grantIn(membership, environment_id).permissions : null
  if (isAllowed('review_changes', { workspaceRole: role, permissions })) return null
  return `user ${id} may not review changes in this environment; give them a role with the permission review_changes first`
}
