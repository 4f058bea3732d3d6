import type { Database } from './tables.ts'

type Domain = 'structure' | 'targeting' | 'identity' | 'notification' | 'insight' | 'governance' | 'serving'

/** A folder of the server: a layer, or a room of a domain. */
type Room = 'platform' | 'changes' | 'reporting' | `${Domain}/${string}`

interface SharedTable<Row> {
  readonly room: Room
  /** The columns that other rooms update. For `all` of them a room inserts and deletes rows, too. */
  readonly columns: { readonly [R in Room]?: readonly (keyof Row)[] | 'all' }
}

/**
 * The room that owns each table: the only one that writes it, apart from the columns that it shares. Rooms
 * above it read it. `scripts/check-tables.mjs` holds both.
 */
export const TABLE_OWNERS: { readonly [T in keyof Database]: Room | SharedTable<Database[T]> } = {
  workspace: 'platform',

  environment_changes: 'changes',
  audit_log: 'changes',
  audit_chunks: 'changes',
  audit_chains: 'changes',
  stored_bytes_changes: 'changes',
  domain_events: { room: 'changes', columns: { 'notification/deliveries': 'all' } },

  users: 'structure/users',
  former_service_accounts: 'structure/users',
  roles: 'structure/roles',
  project_members: 'structure/members',
  environment_roles: 'structure/members',
  user_preferences: 'structure/preferences',
  projects: 'structure/projects',
  sdk_keys: 'structure/sdk-keys',
  environments: {
    room: 'structure/environments',
    columns: {
      changes: ['revision', 'stored_bytes', 'wire_bytes', 'history_since'],
      'governance/invariants': ['has_invariants'],
    },
  },

  flags: { room: 'targeting/flags', columns: { changes: ['wire_bytes'] } },
  segments: 'targeting/segments',
  drift_notes: 'targeting/drift-notes',
  stored_impacts: 'targeting/stored-impacts',

  impressions: 'reporting',
  impression_values: 'reporting',
  impression_flags: 'reporting',
  impression_days: 'reporting',
  impression_users: 'reporting',
  goal_events: 'reporting',
  goals: 'reporting',
  goal_users: 'reporting',
  seen_users: 'reporting',
  seen_user_removals: 'reporting',
  unknown_flags: 'reporting',
  report_counters: 'reporting',
  report_batches: 'reporting',
  report_deletions: 'reporting',
  client_report_names: 'reporting',
  deleted_environments: 'reporting',
  sdk_clients: 'reporting',
  sdk_client_places: 'reporting',
  sdk_client_servers: 'reporting',
  propagation: 'reporting',

  sessions: 'identity/auth',
  login_failures: 'identity/passwords',
  provider_sessions: 'identity/auth',
  identities: 'identity/single-sign-on',
  used_login_states: 'identity/single-sign-on',
  used_logout_tokens: 'identity/single-sign-on',
  password_exceptions: 'identity/single-sign-on',
  group_mappings: 'identity/group-roles',
  waiting_group_changes: 'identity/group-roles',
  scim_settings: 'identity/scim',
  scim_users: 'identity/scim',
  scim_groups: 'identity/scim',
  scim_members: 'identity/scim',
  totp_secrets: 'identity/second-factors',
  recovery_codes: 'identity/second-factors',
  passkeys: 'identity/second-factors',
  used_challenges: 'identity/second-factors',
  access_tokens: 'identity/access-tokens',
  one_time_links: 'identity/link-rows',

  change_requests: 'governance/change-requests',
  scheduled_changes: 'governance/scheduled-changes',
  invariants: 'governance/invariants',

  experiments: 'insight/experiments',
  code_repositories: 'insight/lifecycle',
  code_references: 'insight/lifecycle',

  webhooks: 'notification/receivers',
  integrations: 'notification/receivers',
  delivery_jobs: 'notification/deliveries',
  webhook_deliveries: 'notification/deliveries',
  integration_deliveries: 'notification/deliveries',

  stream_counts: 'serving/connections',
  key_stream_counts: 'serving/connections',
  environment_connections: 'serving/connections',
}
