import type {
  ChangeRequest,
  Flag,
  FlagExtensions,
  RuleOrigin,
  Segment,
  TargetingRule,
} from '@burgee/contract'
import type { JsonValue, Prerequisite, WeightedVariant } from '@burgee/evaluation'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { WireFlag } from '../../../kernel/wire-flag.ts'
import type { Json, NullableJson } from './json-column.ts'

export interface FlagsTable {
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
  /** The fields that are absent unless they are set; the text of an object without blanks. */
  extensions: ColumnType<FlagExtensions, string | undefined, string>
  bytes: GeneratedAlways<number>
  /** The bytes that SDKs receive of the flag, with expanded segments. */
  wire_bytes: Generated<number>
  created_at: string
  updated_at: string
  /** Null for flags that were stored before it was known. */
  updated_by: string | null
}

/** The fields of a segment that are absent unless they are set. */
export type SegmentExtensions = Pick<Segment, 'included_keys' | 'excluded_keys'>

export interface SegmentsTable {
  id: string
  environment_id: string
  key: string
  name: string
  description: string | null
  rules: Json<TargetingRule[]>
  extensions: ColumnType<SegmentExtensions, string | undefined, string>
  /** A value of the sequence `segment_revisions`. */
  revision: Generated<number>
  bytes: GeneratedAlways<number>
  created_at: string
}

export interface EnvironmentChangesTable {
  environment_id: string
  revision: number
  kind: 'upsert' | 'delete' | 'none'
  flag_key: string
  /** Null when the flag is in chunks. */
  flag: NullableJson<WireFlag>
  flag_chunks: Buffer | null
  flag_size: number | null
  /** Null where each expanded rule is the written one at its place. */
  origins: NullableJson<readonly RuleOrigin[]>
  chunk_month: string | null
  /** The audit entry of the write; null in rows of earlier versions and of the upgrade. */
  audit_id: number | null
  /** The bytes that count against the quota of the environment. */
  bytes: Generated<number>
  created_at: Generated<string>
}

export interface AuditLogTable {
  id: Generated<number>
  /** The first day of the month in which it was stored, which is its partition and that of its chunks. */
  month: Generated<string>
  project_id: string | null
  environment_id: string | null
  flag_key: Generated<string>
  actor_email: string
  action: string
  /** Null when there is no value, and when the text is in chunks. */
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
  /** The place in a chain of hashes; null in entries of earlier versions. */
  chain: string | null
  seq: number | null
  hash: Buffer | null
}

/** The end of a chain of hashes of the audit log. */
export interface AuditChainsTable {
  chain: string
  project_id: string | null
  environment_id: string | null
  seq: Generated<number>
  head: Buffer
  genesis: Buffer
  genesis_id: Generated<number>
  base_seq: Generated<number>
  base_hash: Buffer
  genesis_dropped: Generated<boolean>
  moved_at: string | null
  closed_at: string | null
}

export interface AuditChunksTable {
  month: Generated<string>
  environment_id: string
  hash: Buffer
  content: Buffer
}

/** An approval of a change request, with the identity of the reviewer (`reviewerIdentity`). */
export type StoredApproval = ChangeRequest['approvals'][number] & {
  readonly identity: string
  /** The SDK key that approved; null for the setting SDK_KEY. Absent where a user approved. */
  readonly key_id?: number | null
}
type StoredRequestComment = NonNullable<ChangeRequest['comments']>[number]

export interface ChangeRequestsTable {
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
  /** Those who made the service account behind the request (`users.maker_ids`). */
  requester_maker_ids: Generated<readonly number[]>
  /** The credential that asked; null for earlier requests, and for changes that were planned before. */
  requested_with: Json<NonNullable<ChangeRequest['requested_with']>> | null
  reviewed_by: string | null
  comment: string | null
  review_comment: string | null
  reason: string | null
  /** The flag when the request was opened; after the decision, the flag just before it. */
  base_flag: Json<Flag | null>
  /** The flag after the decision, or as it would have been; null while pending, and where that is unknown. */
  decided: Json<{ readonly after: Flag | null }> | null
  /** The approvals so far. */
  approvals: ColumnType<readonly StoredApproval[], string | undefined, string>
  comments: ColumnType<readonly StoredRequestComment[], string | undefined, string>
  /** Set when a workspace admin applied it without the approval of others. */
  bypass_reason: Generated<string | null>
  created_at: string
  reviewed_at: string | null
  bytes: GeneratedAlways<number>
}

export interface ScheduledChangesTable {
  id: string
  environment_id: string
  flag_key: string
  scheduled_at: string
  patch: Json<Record<string, JsonValue>>
  scheduled_by: string
  change_request_id: number | null
  comment: string | null
  executed_at: string | null
  error: string | null
  failed_attempts: Generated<number>
  retry_at: string | null
  created_at: string
  bytes: GeneratedAlways<number>
  position: GeneratedAlways<number>
}
