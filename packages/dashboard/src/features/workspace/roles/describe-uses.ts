import type { CustomRole } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

/** Returns how many memberships have a role: `3 memberships, 1 in an environment`. */
export function describeUses({
  member_count,
  override_count,
}: Pick<CustomRole, 'member_count' | 'override_count'>): string {
  const parts = [
    ...(member_count > 0 ? [countOf(member_count, 'membership')] : []),
    ...(override_count > 0 ? [countOf(override_count, 'in an environment', 'in environments')] : []),
  ]
  return parts.join(', ') || 'Unused'
}
