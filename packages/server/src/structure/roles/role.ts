import {
  type CustomRole,
  PERMISSIONS,
  type Permission,
  PROJECT_ROLES,
  type ProjectRole,
  ROLE_PERMISSIONS,
} from '@burgee/contract'
import type { Membership, RoleGrant } from '../../kernel/scope.ts'

/** A row of the table of roles; `permissions` is null for a built-in role. */
export type RoleRow = Omit<CustomRole, 'permissions' | 'is_built_in'> & {
  readonly permissions: string[] | null
}

/** A role as the database has it; `permissions` is null for a built-in role, whose contract has them. */
export interface StoredRole {
  readonly role: string
  readonly permissions: readonly string[] | null
}

/** The roles of a member as the database has them. */
export interface StoredMembership extends StoredRole {
  readonly overrides: readonly (StoredRole & { readonly environment_id: string })[]
}

const isBuiltInRole = (key: string): key is ProjectRole => PROJECT_ROLES.some((role) => role === key)

/** Returns what a role permits. Permissions that no longer exist permit nothing. */
export function toGrant({ permissions, role }: StoredRole): RoleGrant {
  if (permissions === null) {
    return { role, permissions: isBuiltInRole(role) ? ROLE_PERMISSIONS[role] : new Set() }
  }
  return { role, permissions: new Set(PERMISSIONS.filter((name) => permissions.includes(name))) }
}

export const toMembership = ({ overrides, ...inProject }: StoredMembership): Membership => ({
  inProject: toGrant(inProject),
  overrides: new Map(overrides.map((override) => [override.environment_id, toGrant(override)])),
})

/** Returns whether one set of permissions includes all of another. */
export const includesAll = (permissions: ReadonlySet<Permission>, others: ReadonlySet<Permission>): boolean =>
  [...others].every((name) => permissions.has(name))

/** Returns a role as the API has it. */
export const toCustomRole = ({ permissions, ...row }: RoleRow): CustomRole => ({
  key: row.key,
  name: row.name,
  description: row.description,
  permissions: [...toGrant({ role: row.key, permissions }).permissions],
  is_built_in: isBuiltInRole(row.key),
  member_count: row.member_count,
  override_count: row.override_count,
  created_at: row.created_at,
})
