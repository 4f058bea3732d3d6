import { insertUser, type NewUser } from './insert-user.ts'
import { ADMIN, cookieOf, type TestServer } from './start-test-server.ts'

export interface TestUser {
  readonly id: number
  readonly email: string
  /** The cookie, for `as: { cookie }`. */
  readonly cookie: string
}

/** Creates a user with the admin's password, signed in. */
export async function addUser(server: TestServer, user: NewUser): Promise<TestUser> {
  const { email, id } = await insertUser(server, user)
  return { id, email, cookie: await signIn(server, email) }
}

/** Signs in a user who has the admin's password, and returns the cookie of the new session. */
export async function signIn(server: Pick<TestServer, 'call'>, email: string): Promise<string> {
  const body = { email, password: ADMIN.password }
  const { headers } = await server.call({ path: '/api/auth/login', body, as: 'anonymous' })
  return cookieOf(headers)
}
