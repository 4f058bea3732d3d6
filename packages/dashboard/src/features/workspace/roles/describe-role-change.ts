import { PERMISSION_WORDS, type Permission } from '@burgee/contract'

interface RoleChange {
  /** In words. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** Returns what members gain and lose when their role permits `after` instead of `before`. */
export const describeRoleChange = (
  before: readonly Permission[],
  after: readonly Permission[],
): RoleChange => ({
  gained: after.filter((name) => !before.includes(name)).map((name) => PERMISSION_WORDS[name]),
  lost: before.filter((name) => !after.includes(name)).map((name) => PERMISSION_WORDS[name]),
})
