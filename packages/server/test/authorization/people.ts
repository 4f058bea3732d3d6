import type { Role } from '../../src/platform/db/tables.ts'
import { addUser } from '../harness/add-user.ts'
import { insertUser, type NewUser } from '../harness/insert-user.ts'
import { bearer, type Caller, type Column, CSRF } from './caller.ts'
import { insertToken } from './insert-token.ts'
import type { KeyColumn } from './keys.ts'
import type { Place, World } from './world.ts'

/** The callers who are people, by session or personal token. */
export async function createPeople(world: World): Promise<Caller[]> {
  return Promise.all(Object.keys(PEOPLE).map((column) => createPerson(world, column as PersonColumn)))
}

type PersonColumn = Exclude<Column, KeyColumn | 'nobody'>

interface Person {
  /** Of the workspace: it gives no rights in a project, but for `admin`. */
  readonly role: Role
  readonly at_home?: Role
  readonly abroad?: Role
  readonly comes_with: 'session' | 'session without csrf header' | 'read_only' | 'read_write'
}

const PEOPLE: Record<PersonColumn, Person> = {
  'no csrf': { role: 'admin', comes_with: 'session without csrf header' },
  viewer: { role: 'editor', at_home: 'viewer', comes_with: 'session' },
  editor: { role: 'viewer', at_home: 'editor', comes_with: 'session' },
  admin: { role: 'viewer', at_home: 'admin', comes_with: 'session' },
  outsider: { role: 'editor', abroad: 'admin', comes_with: 'session' },
  owner: { role: 'admin', comes_with: 'session' },
  'ed-ro': { role: 'viewer', at_home: 'editor', comes_with: 'read_only' },
  'ed-rw': { role: 'viewer', at_home: 'editor', comes_with: 'read_write' },
  'ow-ro': { role: 'admin', comes_with: 'read_only' },
  'ow-rw': { role: 'admin', comes_with: 'read_write' },
}

async function createPerson(world: World, column: PersonColumn): Promise<Caller> {
  const { abroad, at_home, comes_with, role } = PEOPLE[column]
  const places = [...(at_home ? [world.home] : []), ...(abroad ? [world.abroad] : [])]
  const user: NewUser = {
    email: `${world.newName('person')}@example.com`,
    role,
    member_of: {
      ...(at_home && { [world.home.project_id]: at_home }),
      ...(abroad && { [world.abroad.project_id]: abroad }),
    },
  }
  const { headers, id } =
    comes_with === 'read_only' || comes_with === 'read_write'
      ? await withToken(world, user, comes_with)
      : await withSession(world, user, comes_with === 'session')
  return {
    column,
    name: column,
    headers,
    user_id: id,
    identity: `user:${id}`,
    sees: seesAllOf(places),
    another: () => createPerson(world, column),
  }
}

async function withSession({ server }: World, user: NewUser, sends_csrf_header: boolean) {
  const { cookie, id } = await addUser(server, user)
  return { id, headers: { cookie, ...(sends_csrf_header && CSRF) } }
}

async function withToken(world: World, user: NewUser, scope: 'read_only' | 'read_write') {
  const { id } = await insertUser(world.server, user)
  return { id, headers: bearer((await insertToken(world, { user_id: id, scope })).token) }
}

const seesAllOf = (places: readonly Place[]): Caller['sees'] => ({
  project_ids: places.map(({ project_id }) => project_id),
  environment_ids: places.flatMap(({ environment_ids }) => environment_ids),
})
