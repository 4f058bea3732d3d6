import type { Role } from '../../src/platform/db/tables.ts'
import { addUser } from '../harness/add-user.ts'
import { insertUser, type NewUser } from '../harness/insert-user.ts'
import { bearer, type Caller, type Column, CSRF } from './caller.ts'
import { insertToken } from './insert-token.ts'
import type { KeyColumn } from './keys.ts'
import type { MemberColumn } from './members.ts'
import type { Place, World } from './world.ts'

/** Creates the callers who are users, by session or personal access token. */
export async function createPeople(world: World): Promise<Caller[]> {
  return Promise.all(Object.keys(PEOPLE).map((column) => createPerson(world, column as PersonColumn)))
}

type PersonColumn = Exclude<Column, KeyColumn | MemberColumn | 'nobody'>

interface Person {
  /** The role in the workspace. Only `admin` gives rights in projects. */
  readonly role: Role
  readonly atHome?: Role
  readonly abroad?: Role
  readonly comesWith: 'session' | 'session without csrf header' | 'read_only' | 'read_write'
}

const PEOPLE: Record<PersonColumn, Person> = {
  'no csrf': { role: 'admin', comesWith: 'session without csrf header' },
  viewer: { role: 'editor', atHome: 'viewer', comesWith: 'session' },
  editor: { role: 'viewer', atHome: 'editor', comesWith: 'session' },
  admin: { role: 'viewer', atHome: 'admin', comesWith: 'session' },
  outsider: { role: 'editor', abroad: 'admin', comesWith: 'session' },
  owner: { role: 'admin', comesWith: 'session' },
  'ed-ro': { role: 'viewer', atHome: 'editor', comesWith: 'read_only' },
  'ed-rw': { role: 'viewer', atHome: 'editor', comesWith: 'read_write' },
  'ow-ro': { role: 'admin', comesWith: 'read_only' },
  'ow-rw': { role: 'admin', comesWith: 'read_write' },
}

async function createPerson(world: World, column: PersonColumn): Promise<Caller> {
  const { abroad, atHome, comesWith, role } = PEOPLE[column]
  const places = [...(atHome ? [world.home] : []), ...(abroad ? [world.abroad] : [])]
  const user: NewUser = {
    email: `${world.newName('person')}@example.com`,
    role,
    memberOf: {
      ...(atHome && { [world.home.project_id]: atHome }),
      ...(abroad && { [world.abroad.project_id]: abroad }),
    },
  }
  const { headers, id } =
    comesWith === 'read_only' || comesWith === 'read_write'
      ? await withToken(world, user, comesWith)
      : await withSession(world, user, comesWith === 'session')
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

async function withSession({ server }: World, user: NewUser, sendsCsrfHeader: boolean) {
  const { cookie, id } = await addUser(server, user)
  return { id, headers: { cookie, ...(sendsCsrfHeader && CSRF) } }
}

async function withToken(world: World, user: NewUser, scope: 'read_only' | 'read_write') {
  const { id } = await insertUser(world.server, user)
  return { id, headers: bearer((await insertToken(world, { user_id: id, scope })).token) }
}

export const seesAllOf = (places: readonly Place[]): Caller['sees'] => ({
  projectIds: places.map(({ project_id }) => project_id),
  environmentIds: places.flatMap(({ environmentIds }) => environmentIds),
})
