import type { CustomRole } from '@burgee/contract'
import type { Permission } from '../../../shared/scope/use-permissions.ts'
import { countOf } from '../../../shared/ui/count-of.ts'

/** A role that a member has is not deleted (docs/reference/access.md#custom-roles). */
export function assessRoleDeletion({ member_count, override_count }: CustomRole): Permission {
  const uses = member_count + override_count
  if (uses === 0) return { isAllowed: true }
  return {
    isAllowed: false,
    reason: `${countOf(uses, 'membership has', 'memberships have')} it. Give these members another role first.`,
  }
}
