import type { Role } from '../../src/platform/db/tables.ts'
import { ADMIN, cookieOf, type TestServer } from './start-test-server.ts'

export interface TestUser {
  readonly id: number
  readonly email: string
  /** For `as: { cookie }`. */
  readonly cookie: string
}

interface NewUser {
  readonly email: string
  /** Of the workspace; a viewer unless said otherwise. */
  readonly role?: Role
  /** Memberships: role by project id. */
  readonly member_of?: Readonly<Record<string, Role>>
}

/** A further user, with the admin's password, signed in. */
export async function addUser(
  server: TestServer,
  { email, member_of = {}, role = 'viewer' }: NewUser,
): Promise<TestUser> {
  const { db } = server.database
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
  for (const [project_id, membership] of Object.entries(member_of)) {
    await db.insertInto('project_members').values({ project_id, user_id: id, role: membership }).execute()
  }
  const body = { email, password: ADMIN.password }
  const { headers } = await server.call({ path: '/api/auth/login', body, as: 'anonymous' })
  return { id, email, cookie: cookieOf(headers) }
}
