import {
  ACCESS,
  type Access,
  isAllowed,
  type OwnAccess,
  PERMISSION_WORDS,
  type Permission as RolePermission,
} from '@burgee/contract'

/** The signed-in person's permission to call an endpoint. A control that is disabled shows the reason. */
export interface Permission {
  readonly isAllowed: boolean
  /** Absent where it is allowed. */
  readonly reason?: string
  /**
   * The project whose admins can give a missing right. Empty where only a workspace admin can. Absent where
   * no role helps.
   */
  readonly giverProject?: string
}

/** The signed-in person's rights in a project, as far as they matter for one request. */
export interface Rights {
  readonly project_id: string
  readonly workspaceRole: string
  /** Undefined for addresses without a project. */
  readonly own: OwnAccess | undefined
  /** The name of a custom role; its key where it is not known. */
  readonly nameOf: (role: string) => string
}

/**
 * Assesses an access in each of the places: ids of environments, or `null` for the project itself. The first
 * place without the access gives the reason.
 */
export function assessAccess(
  access: Access,
  places: readonly (string | null)[],
  { nameOf, own, project_id, workspaceRole }: Rights,
): Permission {
  const grants = own ? places.map((place) => grantIn(own, place)) : [NO_GRANT]
  const lacking = grants.find(
    ({ permissions }) => !isAllowed(access, { workspaceRole, permissions: new Set(permissions) }),
  )
  if (!lacking) return { isAllowed: true }
  if (ACCESS[access].user === 'workspace_admin') {
    return { isAllowed: false, reason: 'Only a workspace admin can do this.', giverProject: '' }
  }
  return { isAllowed: false, reason: reasonFor(access, { ...lacking, nameOf }), giverProject: project_id }
}

interface Grant {
  /** Null for a person who is not a member. */
  readonly role: string | null
  readonly permissions: readonly RolePermission[]
  /** True when the role applies in the environment only. */
  readonly isOverride: boolean
}

const NO_GRANT: Grant = { role: null, permissions: [], isOverride: false }

function grantIn({ environments, permissions, role }: OwnAccess, environment_id: string | null): Grant {
  const override = environments.find((other) => other.environment_id === environment_id)
  return override ? { ...override, isOverride: true } : { role, permissions, isOverride: false }
}

function reasonFor(access: Access, { isOverride, nameOf, role }: Grant & Pick<Rights, 'nameOf'>): string {
  const needed = ROLES_WITH[ACCESS[access].user]
  const what = Object.entries(PERMISSION_WORDS).find(([name]) => name === access)?.[1] ?? access
  if (role === null) return `This needs ${needed} in the project; you are no member of it.`
  const where = isOverride ? 'environment' : 'project'
  if (!isBuiltIn(role)) return `Your role ${nameOf(role)} in the ${where} does not include “${what}”.`
  const article = role === 'viewer' ? 'a' : 'an'
  return `This needs ${needed} in the ${where}; you are ${article} ${role}${isOverride ? ' there' : ''}. Missing permission: “${what}”.`
}

/** Returns whether a role is one of those that always exist. */
export const isBuiltIn = (role: string): boolean => ['viewer', 'editor', 'admin'].includes(role)

const ROLES_WITH = {
  any: 'an account',
  none: 'an SDK key',
  workspace_admin: 'a workspace admin',
  viewer: 'the role viewer or above',
  editor: 'the role editor or admin',
  admin: 'the role admin',
} as const
