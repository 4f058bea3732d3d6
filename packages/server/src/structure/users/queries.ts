import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Role, RoleSource, UserKind } from '../../platform/db/tables.ts'
import type { User } from './user.ts'

interface NewUser {
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Null for a person who has no password. */
  readonly password_hash: string | null
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

const COLUMNS = [
  'id',
  'name',
  'email',
  'role',
  'created_at',
  'disabled_at',
  'email_unconfirmed_since',
] as const

/** Returns the workspace's users of a kind, the oldest first. */
export async function listUsers(db: Kysely<Database>, kind: UserKind): Promise<User[]> {
  return db.selectFrom('users').select(COLUMNS).where('kind', '=', kind).orderBy('id').execute()
}

/** Finds a person. A service account is not found. */
export async function findUser(db: Kysely<Database>, id: number): Promise<User | undefined> {
  return people(db).select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

const people = (db: Kysely<Database>) => db.selectFrom('users').where('kind', '=', 'person')

/** Violates `users_email_key` when the e-mail is in use, ignoring case. */
export async function insertUser(db: Kysely<Database>, { now, ...user }: NewUser): Promise<User> {
  return db
    .insertInto('users')
    .values({ ...user, created_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export interface FoundUser extends User {
  /** Null while the person has no password. */
  readonly password_hash: string | null
  readonly password_version: number
}

export interface UserWithPassword extends FoundUser {
  readonly password_hash: string
}

/** Finds a person by e-mail, ignoring case. Disabled ones are found too. */
export async function findUserByEmail(db: Kysely<Database>, email: string): Promise<FoundUser | undefined> {
  return people(db)
    .select([...COLUMNS, 'password_hash', 'password_version'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/**
 * Locks the user's row until the transaction ends, against deletion, disabling and a change of password.
 * False when one of them has happened since `password_hash` was read.
 */
export async function lockUserForShare(
  db: Kysely<Database>,
  { id, password_hash }: { id: number; password_hash: string },
): Promise<boolean> {
  const held = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}

/** Returns whether there is a person with this id. */
export async function userExists(db: Kysely<Database>, id: number): Promise<boolean> {
  const found = await people(db).select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

/** A user and the number of other admins who are not disabled, both locked until the transaction ends. */
export interface LockedUser {
  readonly user: User
  readonly otherAdmins: number
}

/**
 * Locks the user and every workspace admin, in the order of ids, so that of two admins who are demoted or
 * deleted at the same time the second is checked after the first. Undefined when the user does not exist.
 */
export async function lockUser(tx: Transaction<Database>, id: number): Promise<LockedUser | undefined> {
  const rows = await people(tx)
    .select(COLUMNS)
    .where((where) => where.or([where('id', '=', id), where('role', '=', 'admin')]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const user = rows.find((row) => row.id === id)
  const isOtherAdmin = (row: User) => row.id !== id && row.role === 'admin' && row.disabled_at === null
  return user && { user, otherAdmins: rows.filter(isOtherAdmin).length }
}

/** The columns of a user that change. What follows from them is set with them. */
interface UserChanges {
  readonly name?: string
  readonly role?: Role
  /** The source of the role; without it a changed role is by hand. */
  readonly role_source?: RoleSource
  readonly password_hash?: string
  readonly disabled_at?: string | null
  readonly email_unconfirmed_since?: string | null
}

/** Changes a locked user; at least one column must be given. */
export async function changeUser(tx: Transaction<Database>, id: number, changes: UserChanges): Promise<User> {
  const { password_hash, role, role_source } = changes
  return (
    tx
      .updateTable('users')
      .set(changes)
      // What a person has changed, groups of the identity provider do not change. A viewer is pinned: an
      // account that was created as one may still be raised.
      .$if(role !== undefined && role_source === undefined, (update) =>
        update.set({
          role_source: sql`case when role = ${role}::text then role_source
            when ${role}::text = 'viewer' then 'pinned' else 'manual' end`,
        }),
      )
      .$if(password_hash !== undefined, (update) => update.set(nextPasswordVersion))
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
  )
}

const nextPasswordVersion = { password_version: sql<number>`password_version + 1` }

/**
 * Sets a new password. False when the current one is not that of `oldHash` any more, or the user does not
 * exist.
 */
export async function replacePassword(
  tx: Transaction<Database>,
  { id, newHash, oldHash }: { id: number; oldHash: string; newHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: newHash, ...nextPasswordVersion })
    .where('id', '=', id)
    .where('password_hash', '=', oldHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores another hash of the same password. False when the password has changed since `oldHash` was read, or
 * the user does not exist or is disabled.
 */
export async function replacePasswordHash(
  tx: Transaction<Database>,
  { id, newHash, oldHash }: { id: number; oldHash: string; newHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', oldHash)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Sessions, tokens and memberships are deleted with the user. */
export async function deleteUserRow(tx: Transaction<Database>, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}
