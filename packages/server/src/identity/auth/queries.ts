import type { WorkspaceSettings } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Role } from '../../platform/db/tables.ts'

export interface WorkspaceState {
  readonly workspace_name: string
  readonly is_setup_complete: boolean
}

export async function readWorkspace(db: Kysely<Database>): Promise<WorkspaceState> {
  const row = await db
    .selectFrom('workspace')
    .select(['workspace_name', 'setup_completed_at'])
    .executeTakeFirstOrThrow()
  return { workspace_name: row.workspace_name, is_setup_complete: row.setup_completed_at !== null }
}

/** Returns the time at which SCIM changed the address of a user; null when it is confirmed. */
export async function readUnconfirmedSince(db: Kysely<Database>, user_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email_unconfirmed_since')
    .where('id', '=', user_id)
    .executeTakeFirst()
  return row?.email_unconfirmed_since ?? null
}

const SETTINGS = ['workspace_name', 'keys_may_manage', 'second_factor', 'second_factor_grace_days'] as const

export async function readWorkspaceSettings(db: Kysely<Database>): Promise<WorkspaceSettings> {
  return db.selectFrom('workspace').select(SETTINGS).executeTakeFirstOrThrow()
}

/** Locks the workspace's settings until the transaction ends. */
export async function lockWorkspaceSettings(tx: Transaction<Database>): Promise<WorkspaceSettings> {
  return tx.selectFrom('workspace').select(SETTINGS).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Returns whether an account may use its password although PASSWORD_LOGIN is off. */
export async function hasPasswordException(
  db: Kysely<Database>,
  email: string,
  now: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('password_exceptions as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select('u.id')
    .where(sql`lower(u.email)`, '=', sql`lower(${email})`)
    .where('e.allowed_until', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

interface LoginUser {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_version: number
}

/** Returns the enabled user of a first step; undefined when the password has changed since. */
export async function findLoginUser(
  db: Kysely<Database>,
  { passwordVersion, userId }: { readonly userId: number; readonly passwordVersion: number },
): Promise<LoginUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'password_version'])
    .where('id', '=', userId)
    .where('password_version', '=', passwordVersion)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Returns a user who may be disabled; undefined when there is none. */
export async function findAccount(
  db: Kysely<Database>,
  id: number,
): Promise<(LoginUser & { readonly disabled_at: string | null }) | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'password_version', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Locks a user's row until the transaction ends. False when the user was deleted or disabled, or has another
 * password.
 */
export async function lockLoginUser(
  tx: Transaction<Database>,
  { id, password_version }: Pick<LoginUser, 'id' | 'password_version'>,
): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_version', '=', password_version)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}
