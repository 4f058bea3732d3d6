import type { CustomRole } from '@burgee/contract'

/** Returns how many memberships have a role: `3 memberships, 1 in an environment`. */
export function describeUses({
  member_count,
  override_count,
}: Pick<CustomRole, 'member_count' | 'override_count'>): string {
  const parts = [
    ...(member_count > 0 ? [member_count === 1 ? '1 membership' : `${member_count} memberships`] : []),
    ...(override_count > 0
      ? [override_count === 1 ? '1 in an environment' : `${override_count} in environments`]
      : []),
  ]
  return parts.join(', ') || 'Unused'
}
