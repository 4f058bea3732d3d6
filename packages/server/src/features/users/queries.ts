import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, Role } from '../../platform/db/tables.ts'

/** A user as the API shows one; the password's hash never leaves the server. */
export type User = Omit<Selectable<Database['users']>, 'password_hash'>

interface NewUser {
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly password_hash: string
  /** ISO-8601 UTC. */
  readonly now: string
}

const COLUMNS = ['id', 'name', 'email', 'role', 'created_at'] as const

/** Violates `users_email_key` when the e-mail is in use, in whatever case. */
export async function insertUser(db: Kysely<Database>, { now, ...user }: NewUser): Promise<User> {
  return db
    .insertInto('users')
    .values({ ...user, created_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** E-mails compare case-insensitively (contract, section 4). */
export async function findUserByEmail(
  db: Kysely<Database>,
  email: string,
): Promise<(User & { password_hash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...COLUMNS, 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/**
 * Holds the user's row until the transaction ends, against deletion and a change of password. False when either has
 * happened since `password_hash` was read.
 */
export async function holdUser(
  db: Kysely<Database>,
  { id, password_hash }: { id: number; password_hash: string },
): Promise<boolean> {
  const held = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}
