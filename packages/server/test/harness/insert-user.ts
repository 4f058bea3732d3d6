import type { Role } from '../../src/platform/db/tables.ts'
import { ADMIN, type TestServer } from './start-test-server.ts'

export interface NewUser {
  readonly email: string
  /** The role in the workspace; a viewer by default. */
  readonly role?: Role
  /** Memberships: role by project id. */
  readonly memberOf?: Readonly<Record<string, string>>
}

/** Inserts a user with the admin's password directly into the database, because hashing takes time. */
export async function insertUser(
  { database: { db } }: Pick<TestServer, 'database'>,
  { email, memberOf = {}, role = 'viewer' }: NewUser,
): Promise<{ readonly id: number; readonly email: string }> {
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', ADMIN.email)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('users')
    .values({ name: email, email, role, password_hash })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [project_id, membership] of Object.entries(memberOf)) {
    await db.insertInto('project_members').values({ project_id, user_id: id, role: membership }).execute()
  }
  return { id, email }
}
