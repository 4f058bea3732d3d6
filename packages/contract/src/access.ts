/**
 * Who may call an endpoint, by name. The server holds one rule for each name (`http/authorize.ts`); the specification's
 * "Roles" table and section 4 of the contract are the source.
 */
export const ACCESS = {
  public: 'Anyone, without a credential',
  setup_token: 'The bearer of the one-time set-up token',
  metrics_token: 'The bearer of METRICS_TOKEN',
  any_credential: 'Any valid credential but a client key',
  read_self: 'A signed-in user or a personal access token; to any SDK key it is 401',
  account: 'A signed-in user or a personal access token',
  workspace_admin: 'A workspace admin',
  list_projects: 'Any user; a server key sees its own project',
  read_project: 'A member of the project, a workspace admin, or a server key of the project',
  write_project: 'An admin of the project or a workspace admin',
  delete_project: 'A workspace admin',
  write_environment: 'An admin of the project, a workspace admin, or a server key of the environment',
  read_project_flags: 'A member of the project or a workspace admin',
  write_keys: 'An admin of the project, a workspace admin, or a server key for its own environment',
  read_environment: 'A member of the project, a workspace admin, or a server key of the environment',
  ingest:
    'An editor or admin of the project, a workspace admin, or an SDK key of either kind of the environment',
  write_flags: 'An editor or admin of the project, a workspace admin, or a server key of the environment',
  open_stream: 'An SDK key of either kind, a session, or a personal access token',
  read_snapshot: 'An SDK key of either kind',
} as const
export type Access = keyof typeof ACCESS
