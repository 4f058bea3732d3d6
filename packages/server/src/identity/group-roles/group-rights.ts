import type { Role } from '../../platform/db/tables.ts'

/** A row of the table: members of the group have the role, in the project or else in the workspace. */
export interface GroupMapping {
  readonly group_name: string
  /** Null for the workspace. */
  readonly project_id: string | null
  readonly role: string
  /** The number of things that the role permits. */
  readonly strength: number
}

/** The rights that a person's groups give. */
export interface GroupRights {
  /** The role in the workspace; null when no group gives one. */
  readonly workspaceRole: Role | null
  /** The role in each project, in the order of the projects' ids. */
  readonly projectRoles: ReadonlyMap<string, string>
}

const WORKSPACE_ROLES: readonly string[] = ['viewer', 'editor', 'admin'] satisfies readonly Role[]

/** Returns whether this is a role of the workspace. In a project, every stored role can be given. */
export const isWorkspaceRole = (role: string): role is Role => WORKSPACE_ROLES.includes(role)

/** Returns what the mappings of a person's groups give. Where several give a role, the strongest counts. */
export function rightsOf(mappings: readonly GroupMapping[]): GroupRights {
  const weakestFirst = mappings.toSorted(
    (one, other) => one.strength - other.strength || (one.role < other.role ? -1 : 1),
  )
  const projectRoles = new Map<string, string>()
  let workspaceRole: Role | null = null
  for (const { project_id, role } of weakestFirst) {
    if (project_id !== null) projectRoles.set(project_id, role)
    else if (isWorkspaceRole(role)) workspaceRole = role
  }
  const byId = [...projectRoles].sort(([one], [other]) => (one < other ? -1 : 1))
  return { workspaceRole, projectRoles: new Map(byId) }
}

export const givesNothing = ({ projectRoles, workspaceRole }: GroupRights): boolean =>
  workspaceRole === null && projectRoles.size === 0
