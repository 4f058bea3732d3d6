/**
 * The kinds of access to an endpoint. The server has one rule for each (`http/authorize.ts`);
 * docs/reference/access.md#roles describes them.
 */
export const ACCESS = {
  public: 'Anyone, without a credential',
  setup_token: 'The bearer of the one-time set-up token',
  metrics_token: 'The bearer of METRICS_TOKEN',
  any_credential: 'Any valid credential except a reader or client key',
  read_self: 'A signed-in user or a personal access token; to any SDK key it is 401',
  account: 'A signed-in user or a personal access token',
  workspace_admin: 'A workspace admin',
  list_projects: 'Any user; a server key sees its own project',
  read_project: 'A member of the project, a workspace admin, or a server key of the project',
  write_project: 'An admin of the project or a workspace admin',
  delete_project: 'A workspace admin',
  write_environment:
    'An admin of the project, a workspace admin, or a server key of the environment while `keys_may_manage` is on',
  read_project_flags: 'A member of the project or a workspace admin',
  write_keys:
    'An admin of the project, a workspace admin, or a server key for its own environment while `keys_may_manage` is on',
  read_environment: 'A member of the project, a workspace admin, or a server key of the environment',
  ingest:
    'An editor or admin of the project, a workspace admin, or an SDK key of any kind of the environment',
  write_flags: 'An editor or admin of the project, a workspace admin, or a server key of the environment',
  open_stream: 'An SDK key of any kind, a session, or a personal access token',
  read_snapshot: 'An SDK key of any kind',
  ack: 'An SDK key of any kind; it concerns the environment of the key',
} as const
export type Access = keyof typeof ACCESS

/** The roles of project members. Each role includes the rights of those before it. */
const PROJECT_ROLES = ['viewer', 'editor', 'admin'] as const
type ProjectRole = (typeof PROJECT_ROLES)[number]

/**
 * The role that each access requires of a signed-in user, in the project or in the workspace
 * (docs/reference/access.md#roles).
 */
export const USER_ACCESS = {
  public: 'any',
  setup_token: 'none',
  metrics_token: 'none',
  any_credential: 'any',
  read_self: 'any',
  account: 'any',
  workspace_admin: 'workspace_admin',
  list_projects: 'any',
  read_project: 'viewer',
  write_project: 'admin',
  delete_project: 'workspace_admin',
  write_environment: 'admin',
  read_project_flags: 'viewer',
  write_keys: 'admin',
  read_environment: 'viewer',
  ingest: 'editor',
  write_flags: 'editor',
  open_stream: 'any',
  read_snapshot: 'none',
  ack: 'none',
} as const satisfies Record<Access, ProjectRole | 'workspace_admin' | 'any' | 'none'>

/** The roles of a signed-in user. */
export interface UserRoles {
  readonly workspaceRole: string
  /** Null when the user is not a member, or the request addresses no project. */
  readonly projectRole: string | null
}

/**
 * Returns whether a signed-in user with these roles has the access. A workspace admin passes every membership
 * check.
 */
export function isAllowed(access: Access, { projectRole, workspaceRole }: UserRoles): boolean {
  const needed = USER_ACCESS[access]
  if (needed === 'any') return true
  if (needed === 'none') return false
  if (workspaceRole === 'admin') return true
  if (needed === 'workspace_admin') return false
  const roles: readonly string[] = PROJECT_ROLES
  return projectRole !== null && roles.indexOf(projectRole) >= roles.indexOf(needed)
}
