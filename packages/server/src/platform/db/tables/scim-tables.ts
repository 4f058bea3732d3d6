import type { Generated, JSONColumnType } from 'kysely'

export interface ScimSettingsTable {
  is_only_row: Generated<boolean>
  /** Null while SCIM is off. */
  token_hash: string | null
  token_prefix: string | null
  token_created_at: string | null
  token_created_by: string | null
  adopts_accounts: Generated<boolean>
  last_request_at: string | null
}

/** The names and addresses of a person as the provider sent them. */
export interface StoredProfile {
  readonly displayName?: string
  readonly name?: Readonly<Record<string, string>>
  readonly emails?: readonly StoredAddress[]
}

export interface StoredAddress {
  readonly value: string
  readonly type?: string
  readonly primary?: boolean
}

export interface ScimUsersTable {
  user_id: number
  user_name: string
  external_id: string | null
  profile: JSONColumnType<StoredProfile, string, string>
  /** The time at which SCIM disabled the account. */
  disabled_at: string | null
  groups_version: Generated<number>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export interface ScimGroupsTable {
  id: string
  display_name: string
  external_id: string | null
  created_at: string
  updated_at: string
}

export interface ScimMembersTable {
  group_id: string
  user_id: number
}
