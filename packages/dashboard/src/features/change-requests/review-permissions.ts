import type { ChangeRequest, CurrentUser } from '@burgee/contract'
import type { Permission } from '../../shared/scope/use-may.ts'

const ALLOWED: Permission = { is_allowed: true }

interface Reviewer {
  /** Undefined until it is known who is signed in. */
  readonly me: CurrentUser | undefined
  /** What the role allows: `useMay()('approveChangeRequest')`. */
  readonly by_role: Permission
}

export interface ReviewPermissions {
  readonly approve: Permission
  readonly reject: Permission
  readonly cancel: Permission
}

/** What somebody may do to a pending request: four eyes approve, anybody who may write rejects, the requester withdraws. */
export function reviewPermissions(
  { requested_by }: Pick<ChangeRequest, 'requested_by'>,
  { me, by_role }: Reviewer,
): ReviewPermissions {
  const is_own = me !== undefined && me.email.toLowerCase() === requested_by.toLowerCase()
  const own_approval: Permission = {
    is_allowed: false,
    reason: 'You asked for this yourself, so somebody else has to approve it.',
  }
  const is_theirs: Permission = {
    is_allowed: false,
    reason: `Only ${requested_by} or a workspace admin can cancel this request.`,
  }
  return {
    approve: is_own && by_role.is_allowed ? own_approval : by_role,
    reject: by_role,
    cancel: is_own || me?.role === 'admin' ? ALLOWED : is_theirs,
  }
}
