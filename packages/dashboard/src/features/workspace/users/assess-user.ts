import type { User } from '@burgee/contract'
import type { Permission } from '../../../shared/scope/use-permissions.ts'

interface Circumstances {
  readonly users: readonly User[]
  readonly isMe: boolean
}

/** A user cannot delete themselves or the last admin (docs/reference/access.md#roles). */
export function assessDeletion(user: User, { users, isMe }: Circumstances): Permission {
  if (isMe) return refused('You cannot delete yourself. Another admin can.')
  if (isLastAdmin(user, users)) return refused('This is the last admin. Make another user admin first.')
  return ALLOWED
}

/** A user cannot disable themselves or the last admin. */
export function assessDisabling(user: User, { users, isMe }: Circumstances): Permission {
  if (isMe) return refused('You cannot disable yourself. Another admin can.')
  if (isLastAdmin(user, users)) return refused('This is the last admin. Make another user admin first.')
  return ALLOWED
}

/** Without a second factor there is nothing to reset. */
export const assessReset = ({ second_factors }: User): Permission =>
  second_factors.length > 0 ? ALLOWED : refused('This account has no second factor.')

/** The last admin stays one. */
export const assessDemotion = (user: User, users: readonly User[]): Permission =>
  isLastAdmin(user, users)
    ? refused('This is the last admin: their role stays until another user is admin.')
    : ALLOWED

const isLastAdmin = (user: User, users: readonly User[]): boolean =>
  user.role === 'admin' &&
  user.disabled_at === null &&
  users.filter(({ disabled_at, role }) => role === 'admin' && disabled_at === null).length === 1

const ALLOWED: Permission = { isAllowed: true }
const refused = (reason: string): Permission => ({ isAllowed: false, reason })
