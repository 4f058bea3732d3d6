import type { ChangeRequest, Flag, TargetingRule } from '@burgee/contract'
import type { JsonValue, Prerequisite, WeightedVariant } from '@burgee/evaluation'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { WireFlag } from '../../kernel/wire-flag.ts'

/**
 * The tables as migrations leave them. Timestamps are read and written as ISO-8601 UTC strings; json columns are
 * read parsed and written as JSON text (`JSON.stringify`), also for strings and null.
 */
export interface Database {
  workspace: WorkspaceTable
  users: UsersTable
  sessions: SessionsTable
  access_tokens: AccessTokensTable
  login_failures: LoginFailuresTable
  projects: ProjectsTable
  project_members: ProjectMembersTable
  environments: EnvironmentsTable
  sdk_keys: SdkKeysTable
  flags: FlagsTable
  segments: SegmentsTable
  environment_changes: EnvironmentChangesTable
  audit_log: AuditLogTable
  domain_events: DomainEventsTable
  stream_counts: StreamCountsTable
  environment_connections: EnvironmentConnectionsTable
  change_requests: ChangeRequestsTable
  scheduled_changes: ScheduledChangesTable
}

/** Read parsed, written as JSON text. */
type Json<T> = ColumnType<T, string, string>

/** The same, or SQL NULL. */
type NullableJson<T> = ColumnType<T | null, string | null, string | null>

export type Role = 'admin' | 'editor' | 'viewer'

interface WorkspaceTable {
  id: Generated<boolean>
  workspace_name: Generated<string>
  setup_token_hash: string | null
  setup_token_seed: string | null
  setup_completed_at: string | null
  access_revision: Generated<number>
}

interface UsersTable {
  id: GeneratedAlways<number>
  name: string
  email: string
  role: Role
  password_hash: string
  created_at: Generated<string>
}

interface SessionsTable {
  id: string
  user_id: number
  created_at: Generated<string>
  expires_at: string
}

interface AccessTokensTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  token_hash: string
  prefix: string
  scope: 'read_only' | 'read_write'
  created_at: Generated<string>
  last_used_at: string | null
  expires_at: string | null
}

interface LoginFailuresTable {
  email: string
  failed_at: Date[]
  locked_until: string | null
  checking_id: string | null
  checking_until: string | null
}

interface ProjectsTable {
  id: string
  name: string
  slug: string
  created_at: Generated<string>
}

interface ProjectMembersTable {
  project_id: string
  user_id: number
  role: Role
  created_at: Generated<string>
}

interface EnvironmentsTable {
  id: string
  project_id: string
  name: string
  slug: string
  color: string
  is_default: Generated<boolean>
  require_approval: Generated<boolean>
  approval_scope: Generated<'patch' | 'all'>
  position: GeneratedAlways<number>
  revision: Generated<number>
  created_at: Generated<string>
}

interface SdkKeysTable {
  id: GeneratedAlways<number>
  project_id: string
  environment_id: string
  name: string
  kind: Generated<'server' | 'client'>
  key_hash: string
  prefix: string
  created_at: Generated<string>
}

interface FlagsTable {
  environment_id: string
  key: string
  is_enabled: boolean
  rollout_percentage: number | null
  description: string | null
  rules: Json<TargetingRule[]>
  flag_type: 'boolean' | 'string' | 'integer' | 'json'
  default_value: Json<JsonValue>
  disabled_value: Json<JsonValue>
  variants: Json<WeightedVariant[]>
  prerequisites: Json<Prerequisite[]>
  tags: Json<string[]>
  owner_email: string | null
  archived_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

interface SegmentsTable {
  id: string
  environment_id: string
  key: string
  name: string
  description: string | null
  rules: Json<TargetingRule[]>
  created_at: string
}

interface EnvironmentChangesTable {
  environment_id: string
  revision: number
  kind: 'upsert' | 'delete' | 'none'
  flag_key: string
  flag: Json<WireFlag | null>
  created_at: Generated<string>
}

interface AuditLogTable {
  id: GeneratedAlways<number>
  project_id: string | null
  environment_id: string | null
  flag_key: Generated<string>
  actor_email: string
  action: string
  before_data: NullableJson<object>
  after_data: NullableJson<object>
  metadata: NullableJson<object>
  created_at: string
}

interface DomainEventsTable {
  id: GeneratedAlways<number>
  project_id: string
  environment_id: string
  type: string
  data: Json<object>
  created_at: string
}

interface StreamCountsTable {
  instance_id: string
  environment_id: string
  streams: number
  reported_at: string
}

interface EnvironmentConnectionsTable {
  environment_id: string
  last_connected_at: string
}

interface ChangeRequestsTable {
  id: GeneratedAlways<number>
  environment_id: string
  flag_key: string
  operation: ChangeRequest['operation']
  patch: Json<Record<string, JsonValue>>
  body: Json<JsonValue>
  scheduled_at: string | null
  status: Generated<ChangeRequest['status']>
  requested_by: string
  requester: string
  reviewed_by: string | null
  reason: string | null
  base_flag: Json<Flag>
  created_at: string
  reviewed_at: string | null
}

interface ScheduledChangesTable {
  id: string
  environment_id: string
  flag_key: string
  scheduled_at: string
  patch: Json<Record<string, JsonValue>>
  scheduled_by: string
  change_request_id: number | null
  executed_at: string | null
  error: string | null
  created_at: string
  position: GeneratedAlways<number>
}
