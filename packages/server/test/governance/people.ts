import { insertToken } from '../authorization/insert-token.ts'
import { addUser, type TestUser } from '../harness/add-user.ts'
import type { As, TestServer } from '../harness/start-test-server.ts'

interface Person extends TestUser {
  /** The session of the person. */
  readonly as: As
}

/** The people of the review rules: two of each kind that may review, and some who may not. */
export interface People {
  readonly requester: Person
  /** The requester by personal access token. */
  readonly askerToken: As
  readonly editor: Person
  readonly admin: Person
  readonly viewer: Person
  /** A member of no project. */
  readonly outsider: Person
  /** Server keys of Production, created by the workspace admin and by `admin`, and a client key. */
  readonly key: As
  readonly otherKey: As
  readonly client_key: As
}

export async function createPeople(server: TestServer): Promise<People> {
  const { environments, project } = server
  const person = async (name: string, role?: 'admin' | 'editor' | 'viewer'): Promise<Person> => {
    const memberOf = role ? { [project.id]: role } : {}
    const user = await addUser(server, { email: `${name}@example.com`, memberOf })
    return { ...user, as: { cookie: user.cookie } }
  }
  const key = async (name: string, kind: 'server' | 'client', as: As = 'admin'): Promise<As> => {
    const body = { name, environment_id: environments.production, kind }
    return { bearer: (await server.call({ path: `/api/projects/${project.id}/keys`, body, as })).body.key }
  }
  const requester = await person('asker', 'editor')
  const admin = await person('admin', 'admin')
  return {
    requester,
    askerToken: { bearer: (await insertToken({ server }, { user_id: requester.id })).token },
    editor: await person('editor', 'editor'),
    admin,
    viewer: await person('viewer', 'viewer'),
    outsider: await person('outsider'),
    key: await key('robot', 'server'),
    otherKey: await key('other robot', 'server', admin.as),
    client_key: await key('browser', 'client'),
  }
}
