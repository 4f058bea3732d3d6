import type { Approvers, Preferences } from '@burgee/contract'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { KeyKind } from '../../../kernel/actor.ts'
import type { Json } from './json-column.ts'
import type { RightSource, RoleSource } from './sso-tables.ts'

export type Role = 'admin' | 'editor' | 'viewer'

export type UserKind = 'person' | 'service_account'

export interface WorkspaceTable {
  id: Generated<boolean>
  workspace_name: Generated<string>
  setup_token_hash: string | null
  setup_token_seed: string | null
  setup_completed_at: string | null
  access_revision: Generated<number>
  groups_revision: Generated<number>
  data_key: string | null
  user_hashes_keyed: Generated<boolean>
  keys_may_manage: Generated<boolean>
  second_factor: Generated<'optional' | 'required'>
  second_factor_grace_days: Generated<number>
  second_factor_required_at: Generated<string | null>
  /** Until here the history may be pruned; null before the first time. */
  history_horizon: Generated<string | null>
}

export interface UsersTable {
  id: GeneratedAlways<number>
  name: string
  email: string
  role: Role
  /** Null while the person has no password. */
  password_hash: string | null
  role_source: Generated<RoleSource>
  /** A counter that grows with each new password. */
  password_version: Generated<number>
  created_at: Generated<string>
  disabled_at: Generated<string | null>
  /** A service account has no login, no password and no role in the workspace beyond `viewer`. */
  kind: Generated<UserKind>
  /** The users who created a service account or any of its tokens. */
  maker_ids: Generated<readonly number[]>
  /** The time at which an admin removed the second factors; null once there is one again. */
  factors_reset_at: Generated<string | null>
  /** The time at which SCIM changed the e-mail address; null once the person has confirmed it. */
  email_unconfirmed_since: Generated<string | null>
}

/** A deleted service account whose keys may still exist. */
export interface FormerServiceAccountsTable {
  id: number
  maker_ids: readonly number[]
}

/** The ways in which a person proves who they are. With a second factor, it is that. */
export type LoginMethod = 'setup' | 'password' | 'link' | 'passkey' | 'sso' | 'totp' | 'recovery_code'

export interface TotpSecretsTable {
  user_id: number
  /** Encrypted with the data key. */
  secret: string
  created_at: string
  confirmed_at: string | null
  last_step: number | null
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: string
}

export interface PasskeysTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
  created_at: string
  last_used_at: string | null
}

export interface UsedChallengesTable {
  challenge_hash: string
  expires_at: string
}

export interface SessionsTable {
  id: string
  user_id: number
  created_at: Generated<string>
  expires_at: string
  authenticated_at: Generated<string>
  method: Generated<LoginMethod>
  last_seen_at: Generated<string>
  address: Generated<string | null>
  user_agent: Generated<string | null>
  /** The session that replaced this one, which ends in a few seconds. */
  successor_id: Generated<string | null>
}

export interface OneTimeLinksTable {
  id: string
  user_id: number
  purpose: 'invitation' | 'password_reset'
  token_hash: string
  created_at: string
  expires_at: string
}

export interface AccessTokensTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  token_hash: string
  prefix: string
  scope: 'read_only' | 'read_write'
  created_at: Generated<string>
  last_used_at: string | null
  last_address: Generated<string | null>
  expires_at: string | null
  /** The token that created it, which it ends with; null when a session has. */
  parent_id: Generated<number | null>
}

export interface LoginFailuresTable {
  email: string
  failed_at: Date[]
  locked_until: string | null
  checking_id: string | null
  checking_until: string | null
  /** Set when these are the failures of a known browser of this user. */
  user_id: Generated<number | null>
}

export interface ProjectsTable {
  id: string
  name: string
  slug: string
  created_at: Generated<string>
}

export interface ProjectMembersTable {
  project_id: string
  user_id: number
  /** The key of a role. */
  role: string
  source: Generated<RightSource>
  created_at: Generated<string>
}

export interface RolesTable {
  key: string
  name: string
  description: Generated<string>
  /** Null for a built-in role. */
  permissions: string[] | null
  created_at: Generated<string>
}

export interface EnvironmentRolesTable {
  project_id: string
  user_id: number
  environment_id: string
  role: string
}

export interface EnvironmentsTable {
  id: string
  project_id: string
  name: string
  slug: string
  color: string
  is_default: Generated<boolean>
  require_approval: Generated<boolean>
  approval_scope: Generated<'patch' | 'all'>
  min_approvals: Generated<number>
  approvers: ColumnType<Approvers, string | undefined, string>
  keys_may_manage: Generated<boolean>
  /** Writes need a comment. */
  require_comment: Generated<boolean>
  has_invariants: Generated<boolean>
  /** The choice of what is kept of the users whose evaluations are reported. */
  seen_users: Generated<'off' | 'keys' | 'attributes'>
  private_attributes: ColumnType<string[], string | undefined, string>
  position: GeneratedAlways<number>
  revision: Generated<number>
  /** The bytes that the writes of the environment have stored, for its quota. */
  stored_bytes: Generated<number>
  /** The bytes that SDKs receive of its flags. */
  wire_bytes: Generated<number>
  created_at: Generated<string>
  /** From then on the history is complete; null until its flags are stored after an upgrade. */
  history_since: Generated<string | null>
}

/** Changes of an environment's `stored_bytes` that are not added to it yet. */
export interface StoredBytesChangesTable {
  id: GeneratedAlways<number>
  environment_id: string
  bytes: number
}

export interface SdkKeysTable {
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
  /** The latest use, to the minute. */
  last_used_at: Generated<string | null>
}

export interface UserPreferencesTable {
  project_id: string
  user_id: number
  preferences: Json<Preferences>
}

export interface StreamCountsTable {
  instance_id: string
  environment_id: string
  streams: number
  reported_at: string
}

export interface KeyStreamCountsTable {
  instance_id: string
  key_id: number
  streams: number
  reported_at: string
}

export interface EnvironmentConnectionsTable {
  environment_id: string
  last_connected_at: string
}

export interface DeletedEnvironmentsTable {
  environment_id: string
  deleted_at: Generated<string>
}
