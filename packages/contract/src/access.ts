/** The roles of project members that always exist. Each role includes the permissions of those before it. */
export const PROJECT_ROLES = ['viewer', 'editor', 'admin'] as const
export type ProjectRole = (typeof PROJECT_ROLES)[number]

/**
 * The SDK keys that have an access: those of the project or environment of the path. `managing` keys are
 * server keys while `keys_may_manage` is on.
 */
type KeyReach =
  | 'none'
  | 'any'
  | 'server'
  | 'server_of_project'
  | 'server_of_environment'
  | 'managing_of_project'
  | 'managing_of_environment'
  | 'any_of_environment'

interface AccessRule {
  /** The callers that have it, for the API's description. */
  readonly who: string
  /** The lowest role that has it: in the project, or `workspace_admin`. `any` is every signed-in user. */
  readonly user: ProjectRole | 'workspace_admin' | 'any' | 'none'
  readonly keys: KeyReach
}

const ADMIN = 'An admin of the project or a workspace admin'
const MANAGING = `An admin of the project, a workspace admin, or a server key of the environment while \`keys_may_manage\` is on`
const EDITOR = 'An editor or admin of the project, a workspace admin, or a server key of the environment'

/**
 * The kinds of access to an endpoint. Each endpoint has one. Those that need a role in the project are the
 * permissions of custom roles (docs/reference/access.md#roles).
 */
const RULES = {
  public: { who: 'Anyone, without a credential', user: 'any', keys: 'none' },
  setup_token: { who: 'The bearer of the one-time setup token', user: 'none', keys: 'none' },
  metrics_token: { who: 'The bearer of METRICS_TOKEN', user: 'none', keys: 'none' },
  any_credential: { who: 'Any valid credential except a reader or client key', user: 'any', keys: 'server' },
  read_self: {
    who: 'A signed-in user or a personal access token; to any SDK key it is 401',
    user: 'any',
    // The handler responds with 401 to an SDK key, instead of 403 (docs/reference/api.md#statuses).
    keys: 'any',
  },
  account: { who: 'A signed-in user or a personal access token', user: 'any', keys: 'none' },
  workspace_admin: { who: 'A workspace admin', user: 'workspace_admin', keys: 'none' },
  delete_project: { who: 'A workspace admin', user: 'workspace_admin', keys: 'none' },
  list_projects: { who: 'Any user; a server key sees its own project', user: 'any', keys: 'server' },
  read_own_access: { who: 'Any user, for themselves', user: 'any', keys: 'none' },
  read_project: {
    who: 'A member of the project, a workspace admin, or a server key of the project',
    user: 'viewer',
    keys: 'server_of_project',
  },
  read_project_flags: { who: 'A member of the project or a workspace admin', user: 'viewer', keys: 'none' },
  edit_project: {
    who: 'An editor or admin of the project or a workspace admin',
    user: 'editor',
    keys: 'none',
  },
  write_project: { who: ADMIN, user: 'admin', keys: 'none' },
  write_environments: { who: ADMIN, user: 'admin', keys: 'none' },
  write_members: { who: ADMIN, user: 'admin', keys: 'none' },
  read_project_audit: { who: ADMIN, user: 'admin', keys: 'none' },
  write_keys: {
    who: 'An admin of the project, a workspace admin, or a server key for its own environment while `keys_may_manage` is on',
    user: 'admin',
    keys: 'managing_of_project',
  },
  read_environment: {
    who: 'A member of the project, a workspace admin, or a server key of the environment',
    user: 'viewer',
    keys: 'server_of_environment',
  },
  ingest: {
    who: 'An editor or admin of the project, a workspace admin, or an SDK key of any kind of the environment',
    user: 'editor',
    keys: 'any_of_environment',
  },
  write_flags: { who: EDITOR, user: 'editor', keys: 'server_of_environment' },
  write_segments: { who: EDITOR, user: 'editor', keys: 'server_of_environment' },
  write_schedules: { who: EDITOR, user: 'editor', keys: 'server_of_environment' },
  write_experiments: { who: EDITOR, user: 'editor', keys: 'server_of_environment' },
  review_changes: { who: EDITOR, user: 'editor', keys: 'server_of_environment' },
  write_environment: { who: MANAGING, user: 'admin', keys: 'managing_of_environment' },
  write_webhooks: { who: MANAGING, user: 'admin', keys: 'managing_of_environment' },
  write_integrations: { who: MANAGING, user: 'admin', keys: 'managing_of_environment' },
  delete_reports: { who: MANAGING, user: 'admin', keys: 'managing_of_environment' },
  open_stream: {
    who: 'An SDK key of any kind, a session, or a personal access token',
    user: 'any',
    keys: 'any',
  },
  // The handler responds with 400 to a session, instead of 403 (docs/reference/api.md#statuses).
  read_snapshot: { who: 'An SDK key of any kind', user: 'none', keys: 'any' },
  evaluate: {
    who: 'An SDK key of any kind, as a bearer or in `X-API-Key`; it concerns the environment of the key',
    user: 'none',
    keys: 'any',
  },
  open_events: {
    who: 'The bearer of a ticket from a bulk evaluation, or an SDK key of any kind',
    user: 'none',
    keys: 'any',
  },
  ack: { who: 'An SDK key of any kind; it concerns the environment of the key', user: 'none', keys: 'any' },
} as const satisfies Record<string, AccessRule>

export type Access = keyof typeof RULES
export const ACCESS: Readonly<Record<Access, AccessRule>> = RULES

/** The accesses that a role in a project can have. */
export type Permission = {
  [A in Access]: (typeof RULES)[A]['user'] extends ProjectRole ? A : never
}[Access]

const isPermission = (access: string): access is Permission =>
  Object.hasOwn(RULES, access) && isProjectRole(ACCESS[access as Access].user)
const isProjectRole = (role: string): role is ProjectRole => PROJECT_ROLES.some((known) => known === role)

/** Every permission, in the order of the table. */
export const PERMISSIONS: readonly Permission[] = Object.keys(RULES).filter(isPermission)

const permissionsFrom = (role: ProjectRole): ReadonlySet<Permission> =>
  new Set(
    PERMISSIONS.filter((name) => PROJECT_ROLES.indexOf(RULES[name].user) <= PROJECT_ROLES.indexOf(role)),
  )

/** The permissions of the roles that always exist. */
export const ROLE_PERMISSIONS: Readonly<Record<ProjectRole, ReadonlySet<Permission>>> = {
  viewer: permissionsFrom('viewer'),
  editor: permissionsFrom('editor'),
  admin: permissionsFrom('admin'),
}

/** The permissions of a server key in its environment and project. */
export const SERVER_KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(
  PERMISSIONS.filter((name) => ACCESS[name].keys !== 'none'),
)

/** The rights of a signed-in user. */
export interface UserRights {
  readonly workspaceRole: string
  /** Null when the user is not a member, or the request addresses no project. */
  readonly permissions: ReadonlySet<Permission> | null
}

/**
 * Returns whether a signed-in user with these rights has the access. A workspace admin passes every
 * membership check.
 */
export function isAllowed(access: Access, { permissions, workspaceRole }: UserRights): boolean {
  const { user } = ACCESS[access]
  if (user === 'any') return true
  if (user === 'none') return false
  if (workspaceRole === 'admin') return true
  return isPermission(access) && (permissions?.has(access) ?? false)
}
