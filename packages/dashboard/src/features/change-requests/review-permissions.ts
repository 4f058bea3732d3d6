import type { ChangeRequest, CurrentUser } from '@burgee/contract'
import type { Permission } from '../../shared/scope/use-permissions.ts'

const ALLOWED: Permission = { isAllowed: true }
const FOR_ADMINS: Permission = {
  isAllowed: false,
  reason: 'Only a workspace admin can apply a change without the approval of others.',
}

interface Reviewer {
  /** Undefined until it is known who is signed in. */
  readonly me: CurrentUser | undefined
  /** The permission that the role gives: `usePermissions()('approveChangeRequest')`. */
  readonly byRole: Permission
  /** The permission that the list of approvers gives; allowed without one. */
  readonly isApprover?: Permission
}

export interface ReviewPermissions {
  readonly approve: Permission
  readonly reject: Permission
  readonly cancel: Permission
  /** Applying it without the approval of others. */
  readonly bypass: Permission
}

/**
 * The decisions that a person may take on a pending request. Another editor approves once, any editor
 * rejects, the requester withdraws, and a workspace admin bypasses.
 */
export function reviewPermissions(
  { approvals, requested_by }: Pick<ChangeRequest, 'approvals' | 'requested_by'>,
  { me, byRole, isApprover = ALLOWED }: Reviewer,
): ReviewPermissions {
  const isMine = (email: string) => me !== undefined && me.email.toLowerCase() === email.toLowerCase()
  const isOwn = isMine(requested_by)
  const hasApproved = approvals.some(
    ({ approved_by, not_counted }) => not_counted === null && isMine(approved_by),
  )
  const approvedAlready: Permission = {
    isAllowed: false,
    reason: 'You have approved this already. Another person must approve it too.',
  }
  const ownApproval: Permission = {
    isAllowed: false,
    reason: 'You requested this change, so someone else has to approve it.',
  }
  const reasons = [...(isOwn ? [ownApproval] : []), ...(hasApproved ? [approvedAlready] : []), isApprover]
  const isTheirs: Permission = {
    isAllowed: false,
    reason: `Only ${requested_by} or a workspace admin can withdraw this request.`,
  }
  return {
    approve: [byRole, ...reasons].find(({ isAllowed }) => !isAllowed) ?? ALLOWED,
    reject: byRole,
    cancel: isOwn || me?.role === 'admin' ? ALLOWED : isTheirs,
    bypass: me?.role === 'admin' ? ALLOWED : FOR_ADMINS,
  }
}
