import { ROLE_PERMISSIONS } from '@burgee/contract'
import { addUser } from '../harness/add-user.ts'
import { bearer, type Caller, CSRF } from './caller.ts'
import { insertServiceAccount } from './insert-service-account.ts'
import { insertToken } from './insert-token.ts'
import { seesAllOf } from './people.ts'
import { asAdmin, type World } from './world.ts'

export type MemberColumn = 'robot' | 'in env' | 'custom'

interface Member {
  readonly id: number
  readonly headers: Caller['headers']
}

/** Creates the callers with a service account, a role in one environment, or a custom role. */
export async function createMembers(world: World): Promise<Caller[]> {
  return Promise.all(Object.keys(MEMBERS).map((column) => createMember(world, column as MemberColumn)))
}

const MEMBERS: Record<MemberColumn, (world: World) => Promise<Member>> = {
  async robot(world) {
    const id = await insertServiceAccount(world, { memberOf: { [world.home.project_id]: 'editor' } })
    return { id, headers: bearer((await insertToken(world, { user_id: id })).token) }
  },
  async 'in env'(world) {
    const { environment_id, project_id } = world.home
    const member = await signIn(world, 'admin')
    await asAdmin(world.server, {
      method: 'PATCH',
      path: `/api/projects/${project_id}/members/${member.id}`,
      body: { environment_roles: [{ environment_id, role: 'viewer' }] },
    })
    return member
  },
  async custom(world) {
    const key = world.newName('role')
    const permissions = [...ROLE_PERMISSIONS.viewer, 'write_flags']
    await asAdmin(world.server, { path: '/api/roles', body: { key, name: key, permissions } })
    return signIn(world, key)
  },
}

async function signIn({ home, newName, server }: World, role: string): Promise<Member> {
  const { cookie, id } = await addUser(server, {
    email: `${newName('member')}@example.com`,
    memberOf: { [home.project_id]: role },
  })
  return { id, headers: { cookie, ...CSRF } }
}

async function createMember(world: World, column: MemberColumn): Promise<Caller> {
  const { headers, id } = await MEMBERS[column](world)
  return {
    ...{ column, name: column, headers, identity: `user:${id}` },
    user_id: column === 'robot' ? null : id,
    sees: seesAllOf([world.home]),
    another: () => createMember(world, column),
  }
}
