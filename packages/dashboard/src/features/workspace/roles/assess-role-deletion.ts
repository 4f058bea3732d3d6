import type { CustomRole } from '@burgee/contract'
import type { Permission } from '../../../shared/scope/use-permissions.ts'

/** A role that a member has is not deleted (docs/reference/access.md#custom-roles). */
export function assessRoleDeletion({ member_count, override_count }: CustomRole): Permission {
  const uses = member_count + override_count
  if (uses === 0) return { isAllowed: true }
  return {
    isAllowed: false,
    reason: `${uses === 1 ? '1 membership has' : `${uses} memberships have`} it. Give these members another role first.`,
  }
}
