import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Role, RoleSource, UserKind } from '../../platform/db/tables.ts'
import { changeUser, insertUser, type User } from '../../structure/users/index.ts'
import { endLinks } from '../link-rows/index.ts'

/** An account of a person as logins need it; a service account has no login. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Groups do not change `pinned`, which is a viewer by hand, and no other role by hand. */
  readonly role_source: RoleSource
  readonly has_password: boolean
  readonly disabled_at: string | null
  /** The time at which SCIM changed the e-mail address; null once the person has confirmed it. */
  readonly email_unconfirmed_since: string | null
}

/** Selects the accounts of people, as `u`. */
export const accounts = (db: Kysely<Database>) =>
  db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.role',
      'u.role_source',
      'u.disabled_at',
      'u.email_unconfirmed_since',
    ])
    .select(sql<boolean>`u.password_hash is not null`.as('has_password'))
    .where('u.kind', '=', 'person')

/** Finds an account by e-mail, ignoring case. */
export async function findAccountByEmail(db: Kysely<Database>, email: string): Promise<Account | undefined> {
  return accounts(db).where(sql`lower(u.email)`, '=', sql`lower(${email})`).executeTakeFirst()
}

export async function findAccount(db: Kysely<Database>, id: number): Promise<Account | undefined> {
  return accounts(db).where('u.id', '=', id).executeTakeFirst()
}

/** Locks an account until the transaction ends, against deletion and disabling. */
export async function lockAccount(tx: Transaction<Database>, id: number): Promise<Account | undefined> {
  return accounts(tx).where('u.id', '=', id).forNoKeyUpdate('u').executeTakeFirst()
}

/** Violates `users_email_key` when the e-mail is in use. The account has no password. */
export async function insertAccount(
  tx: Transaction<Database>,
  { email, name, now }: { readonly email: string; readonly name: string; readonly now: string },
): Promise<Account> {
  const { id } = await insertUser(tx, { email, name, role: 'viewer', password_hash: null, now })
  return accounts(tx).where('u.id', '=', id).executeTakeFirstOrThrow()
}

export async function setWorkspaceRole(
  tx: Transaction<Database>,
  id: number,
  { role, source }: { readonly role: Role; readonly source: RoleSource },
): Promise<void> {
  await changeUser(tx, id, { role, role_source: source })
}

/** Returns the workspace's users of a kind, the oldest first. */
export async function listUsers(db: Kysely<Database>, kind: UserKind): Promise<User[]> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'created_at', 'disabled_at', 'email_unconfirmed_since'])
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
}

/** Returns whether the user has a password: not after an invitation that waits. */
export async function hasPassword(db: Kysely<Database>, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Sets the password of a locked user. */
export async function setPassword(
  tx: Transaction<Database>,
  id: number,
  password_hash: string,
): Promise<void> {
  await endLinks(tx, id)
  await changeUser(tx, id, { password_hash })
}

/** Disables a locked user, or enables them with null. */
export async function setDisabledAt(
  tx: Transaction<Database>,
  id: number,
  disabled_at: string | null,
): Promise<User> {
  await endLinks(tx, id)
  return changeUser(tx, id, { disabled_at })
}
