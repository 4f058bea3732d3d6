import { type Caller, CSRF } from '../authorization/caller.ts'
import type { World } from '../authorization/world.ts'
import { addUser } from '../harness/add-user.ts'

/** Creates a custom role; returns its key. */
export async function createRole(
  { newName, server }: World,
  permissions: readonly string[],
): Promise<string> {
  const key = newName('role')
  const { body, status } = await server.call({ path: '/api/roles', body: { key, name: key, permissions } })
  if (status !== 200) throw new Error(`the role was not created: ${JSON.stringify(body)}`)
  return key
}

/** Signs in a new member of home with the role. */
export async function memberWith(world: World, role: string): Promise<Caller> {
  const { cookie, id } = await addUser(world.server, {
    email: `${world.newName('member')}@example.com`,
    memberOf: { [world.home.project_id]: role },
  })
  return {
    column: 'viewer',
    name: role,
    headers: { cookie, ...CSRF },
    user_id: id,
    identity: `user:${id}`,
    sees: { projectIds: [world.home.project_id], environmentIds: [] },
    another: () => memberWith(world, role),
  }
}
