import type { Generated, GeneratedAlways } from 'kysely'

/** The source of a right: a person, or the groups of the identity provider. */
export type RightSource = 'manual' | 'groups'

/** The source of a role in the workspace. `pinned` is that of a viewer by hand, which groups do not raise. */
export type RoleSource = RightSource | 'pinned'

/** A person to whom a change of the table of groups is still to be applied. */
export interface WaitingGroupChangesTable {
  user_id: number
  /** The name of the actor who changed the table. */
  requested_by: string
  change_id: GeneratedAlways<number>
}

export interface IdentitiesTable {
  id: GeneratedAlways<number>
  user_id: number
  issuer: string
  subject: string
  email: string
  /** The groups of the last login. */
  groups: Generated<string[]>
  created_at: string
  last_login_at: string
}

export interface GroupMappingsTable {
  id: GeneratedAlways<number>
  group_name: string
  /** Null for the workspace. */
  project_id: string | null
  role: string
  created_at: string
}

export interface ProviderSessionsTable {
  session_id: string
  issuer: string
  subject: string
  sid: string | null
  /** Encrypted. */
  id_token: string | null
}

export interface UsedLogoutTokensTable {
  token_hash: string
  expires_at: string
}

/** A login with the identity provider whose callback has arrived. */
export interface UsedLoginStatesTable {
  state_hash: string
  expires_at: string
}

export interface PasswordExceptionsTable {
  user_id: number
  allowed_until: string
}
