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
  /** Without it a person. */
  readonly kind?: UserKind
  /** The users who made a service account. */
  readonly maker_ids?: readonly number[]
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
  readonly email?: string
  readonly role?: Role
  /** The source of the role; without it a changed role is by hand. */
  readonly role_source?: RoleSource
  readonly password_hash?: string
  readonly disabled_at?: string | null
  readonly email_unconfirmed_since?: string | null
}

/** Changes a locked user; at least one column must be given. */
export async function changeUser(tx: Transaction<Database>, id: number, changes: UserChanges): Promise<User> {
  return update(tx, id, changes).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** Changes a user who has the expected values. Returns whether there is one. */
export async function changeUserIf(
  tx: Transaction<Database>,
  id: number,
  changes: UserChanges,
  expected: Partial<Pick<UserWithPassword, 'password_hash'> & { readonly role_source: RoleSource }>,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, id, changes)
    .where((where) => where.and(expected))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const update = (tx: Transaction<Database>, id: number, changes: UserChanges) =>
  tx
    .updateTable('users')
    .set(changes)
    // What a person has changed, groups of the identity provider do not change. A viewer is pinned: an
    // account that was created as one may still be raised.
    .$if(changes.role !== undefined && changes.role_source === undefined, (row) =>
      row.set({
        role_source: sql`case when role = ${changes.role}::text then role_source
          when ${changes.role}::text = 'viewer' then 'pinned' else 'manual' end`,
      }),
    )
    .$if(changes.password_hash !== undefined, (row) =>
      row.set({ password_version: sql<number>`password_version + 1` }),
    )
    .where('id', '=', id)

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

/** Sets or clears the notice that an admin removed the second factors of a user. */
export async function setFactorsReset(
  tx: Transaction<Database>,
  id: number,
  at: string | null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ factors_reset_at: at })
    .where('id', '=', id)
    .where('factors_reset_at', at === null ? 'is not' : 'is distinct from', at)
    .execute()
}

/**
 * Records that a user has created a token of a locked service account. Returns whether it was not recorded
 * before.
 */
export async function addMaker(tx: Transaction<Database>, id: number, makerId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ maker_ids: sql<number[]>`maker_ids || ${makerId}::int` })
    .where('id', '=', id)
    .where(sql<boolean>`${makerId}::int <> all(maker_ids)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes a user, and with them sessions, tokens and memberships. The makers of a service account are kept
 * for the keys that it has created.
 */
export async function deleteUserRow(tx: Transaction<Database>, id: number): Promise<void> {
  await sql`
    with kept as (
      insert into former_service_accounts (id, maker_ids)
      select id, maker_ids from users where id = ${id}::int and kind = 'service_account'
    )
    delete from users where id = ${id}::int
  `.execute(tx)
}
