import type { ChangeRequest, DomainEventType, Flag, TargetingRule } from '@burgee/contract'
import type { JsonValue, Prerequisite, WeightedVariant } from '@burgee/evaluation'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { KeyKind } from '../../kernel/actor.ts'
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
  stored_bytes_changes: StoredBytesChangesTable
  sdk_keys: SdkKeysTable
  flags: FlagsTable
  segments: SegmentsTable
  environment_changes: EnvironmentChangesTable
  audit_log: AuditLogTable
  audit_chunks: AuditChunksTable
  domain_events: DomainEventsTable
  stream_counts: StreamCountsTable
  environment_connections: EnvironmentConnectionsTable
  change_requests: ChangeRequestsTable
  scheduled_changes: ScheduledChangesTable
  report_counters: ReportCountersTable
  impressions: ImpressionsTable
  goal_events: GoalEventsTable
  impression_values: ImpressionValuesTable
  impression_flags: ImpressionFlagsTable
  impression_days: ImpressionDaysTable
  impression_users: ImpressionUsersTable
  goals: GoalsTable
  goal_users: GoalUsersTable
  client_report_names: ClientReportNamesTable
  report_deletions: ReportDeletionsTable
  deleted_environments: DeletedEnvironmentsTable
  experiments: ExperimentsTable
  webhooks: WebhooksTable
  integrations: IntegrationsTable
  delivery_jobs: DeliveryJobsTable
  webhook_deliveries: WebhookDeliveriesTable
  integration_deliveries: IntegrationDeliveriesTable
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
  data_key: string | null
  user_hashes_keyed: Generated<boolean>
  keys_may_manage: Generated<boolean>
}

interface UsersTable {
  id: GeneratedAlways<number>
  name: string
  email: string
  role: Role
  password_hash: string
  /** Grows with every new password. */
  password_version: Generated<number>
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
  /** Where these are the failures of a known browser of this user. */
  user_id: Generated<number | null>
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
  keys_may_manage: Generated<boolean>
  position: GeneratedAlways<number>
  revision: Generated<number>
  /** What the writes of the environment store, for its quota. */
  stored_bytes: Generated<number>
  /** What SDKs receive of its flags. */
  wire_bytes: Generated<number>
  created_at: Generated<string>
}

/** What changes `stored_bytes` of an environment and is not added to it yet. */
interface StoredBytesChangesTable {
  id: GeneratedAlways<number>
  environment_id: string
  bytes: number
}

interface SdkKeysTable {
  id: GeneratedAlways<number>
  project_id: string
  environment_id: string
  name: string
  kind: Generated<KeyKind>
  key_hash: string
  prefix: string
  parent_id: number | null
  created_by: number | null
  is_seeded: Generated<boolean>
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
  bytes: GeneratedAlways<number>
  /** What SDKs receive of it, segments expanded. */
  wire_bytes: Generated<number>
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
  bytes: GeneratedAlways<number>
  created_at: string
}

interface EnvironmentChangesTable {
  environment_id: string
  revision: number
  kind: 'upsert' | 'delete' | 'none'
  flag_key: string
  /** Null where the flag is in chunks. */
  flag: NullableJson<WireFlag>
  flag_chunks: Buffer | null
  flag_size: number | null
  chunk_month: string | null
  created_at: Generated<string>
}

interface AuditLogTable {
  id: Generated<number>
  /** The first day of the month in which it was stored: its partition, and that of its chunks. */
  month: Generated<string>
  project_id: string | null
  environment_id: string | null
  flag_key: Generated<string>
  actor_email: string
  action: string
  /** Null where there is nothing, and where the text is in chunks. */
  before_data: NullableJson<object>
  before_chunks: Buffer | null
  before_size: number | null
  before_revision: number | null
  after_data: NullableJson<object>
  after_chunks: Buffer | null
  after_size: number | null
  after_revision: number | null
  metadata: NullableJson<object>
  /** Null in entries of earlier versions. */
  stored_bytes: number | null
  created_at: string
}

interface AuditChunksTable {
  month: Generated<string>
  environment_id: string
  hash: Buffer
  content: Buffer
}

interface DomainEventsTable {
  id: GeneratedAlways<number>
  project_id: string
  environment_id: string
  type: string
  /** Null where it is in chunks. */
  data: NullableJson<object>
  data_chunks: Buffer | null
  data_size: number | null
  chunk_month: string | null
  created_at: string
  fanned_out_at: string | null
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
  requester_user_id: number | null
  reviewed_by: string | null
  reason: string | null
  base_flag: Json<Flag>
  created_at: string
  reviewed_at: string | null
  bytes: GeneratedAlways<number>
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
  bytes: GeneratedAlways<number>
  position: GeneratedAlways<number>
}

interface ReportCountersTable {
  environment_id: string
  kind: 'impression' | 'goal_event'
  last_id: Generated<number>
  received_on: Generated<string>
  day_first_id: Generated<number>
  is_deleting: Generated<boolean>
}

interface ImpressionsTable {
  id: number
  environment_id: string
  flag_key: string
  user_id: string | null
  value: string
  context: NullableJson<Record<string, JsonValue>>
  evaluated_at: string
  received_on: string
}

interface GoalEventsTable {
  id: number
  environment_id: string
  event_key: string
  user_id: string | null
  value: number | null
  context: NullableJson<Record<string, JsonValue>>
  occurred_at: string
  received_on: string
}

interface ImpressionValuesTable {
  environment_id: string
  flag_key: string
  value_hash: Buffer
  value: string
  impressions: number
  unique_users: number
  last_seen: string
  last_id: number
}

interface ImpressionFlagsTable {
  environment_id: string
  flag_key: string
  unique_users: number
  version: number
  deleted_to: Generated<number>
}

interface ImpressionDaysTable {
  environment_id: string
  flag_key: string
  value_hash: Buffer
  day: string
  received_on: string
  impressions: number
  last_id: Generated<number>
}

interface ImpressionUsersTable {
  environment_id: string
  flag_key: string
  user_hash: Buffer
  value_hash: Buffer
  first_at: string
  first_id: number
}

interface GoalsTable {
  environment_id: string
  event_key: string
  total: number
  unique_users: number
  last_seen: string
  version: number
  deleted_to: Generated<number>
}

interface GoalUsersTable {
  environment_id: string
  event_key: string
  user_hash: Buffer
  first_at: string
  last_at: string
  first_id: Generated<number>
}

interface ClientReportNamesTable {
  environment_id: string
  kind: 'flag' | 'value' | 'event'
  flag_key: Generated<string>
  day: string
  taken: number
}

interface ReportDeletionsTable {
  id: GeneratedAlways<number>
  environment_id: string
  subject: 'flag' | 'event' | 'user'
  name: string
  impressions_to: number | null
  goal_events_to: number | null
  cursor_id: Generated<number>
  removed: Generated<number>
}

interface DeletedEnvironmentsTable {
  environment_id: string
  deleted_at: Generated<string>
}

interface ExperimentsTable {
  id: string
  environment_id: string
  key: string
  name: string
  description: string | null
  flag_key: string
  goal_event_key: string
  control_variant: string | null
  status: Generated<'running' | 'paused' | 'completed'>
  created_at: string
}

interface WebhooksTable {
  id: string
  environment_id: string
  name: string
  url: string
  secret_sealed: string | null
  enabled: Generated<boolean>
  after_event_id: number
  created_at: string
  position: GeneratedAlways<number>
}

interface IntegrationsTable {
  id: string
  environment_id: string
  kind: 'slack' | 'teams'
  name: string
  webhook_url_sealed: string
  webhook_url_preview: string
  events: Json<DomainEventType[]>
  enabled: Generated<boolean>
  after_event_id: number
  created_at: string
  position: GeneratedAlways<number>
}

interface DeliveryJobsTable {
  id: GeneratedAlways<number>
  webhook_id: string | null
  integration_id: string | null
  receiver_id: GeneratedAlways<string>
  event_id: number
  message_id: string
  asked_for: Generated<boolean>
  attempt: Generated<number>
  run_at: string
  claimed_until: string | null
}

interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>
  webhook_id: string
  event_id: number | null
  event: string
  message_id: string
  attempt: number
  status_code: number | null
  response_body: string | null
  error: string | null
  delivered_at: string
}

interface IntegrationDeliveriesTable {
  id: GeneratedAlways<number>
  integration_id: string
  event: string
  attempt: number
  status_code: number | null
  response_body: string | null
  error: string | null
  duration_ms: number
  delivered_at: string
}
