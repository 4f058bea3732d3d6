import type { ChangeRequest, CurrentUser } from '@burgee/contract'
import type { Permission } from '../../shared/scope/use-permissions.ts'

const ALLOWED: Permission = { isAllowed: true }

interface Reviewer {
  /** Undefined until it is known who is signed in. */
  readonly me: CurrentUser | undefined
  /** The permission that the role gives: `usePermissions()('approveChangeRequest')`. */
  readonly byRole: Permission
}

export interface ReviewPermissions {
  readonly approve: Permission
  readonly reject: Permission
  readonly cancel: Permission
}

/**
 * The decisions that a person may take on a pending request. Another editor approves, any editor rejects, and
 * the requester withdraws.
 */
export function reviewPermissions(
  { requested_by }: Pick<ChangeRequest, 'requested_by'>,
  { me, byRole }: Reviewer,
): ReviewPermissions {
  const isOwn = me !== undefined && me.email.toLowerCase() === requested_by.toLowerCase()
  const ownApproval: Permission = {
    isAllowed: false,
    reason: 'You requested this change, so someone else has to approve it.',
  }
  const isTheirs: Permission = {
    isAllowed: false,
    reason: `Only ${requested_by} or a workspace admin can withdraw this request.`,
  }
  return {
    approve: isOwn && byRole.isAllowed ? ownApproval : byRole,
    reject: byRole,
    cancel: isOwn || me?.role === 'admin' ? ALLOWED : isTheirs,
  }
}
