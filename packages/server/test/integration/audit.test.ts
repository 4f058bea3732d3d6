import { endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, CSRF } from '../authorization/caller.ts'
import { PLANNERS } from '../authorization/plans/plans.ts'
import { createWorld, type World } from '../authorization/world.ts'
import { addUser } from '../harness/add-user.ts'

let world: World
let owner: Caller
beforeAll(async () => {
  world = await createWorld()
  owner = await createOwner()
})
afterAll(() => world.server.close())

async function createOwner(): Promise<Caller> {
  const { cookie, id } = await addUser(world.server, { email: `${world.newName('owner')}@example.com`, role: 'admin' })
  return {
    column: 'owner', name: 'owner', headers: { cookie, ...CSRF }, user_id: id, identity: `user:${id}`,
    sees: { project_ids: [], environment_ids: [] }, another: createOwner,
  }
}
type Name = keyof typeof endpoints
describe('x', () => {
  it('prints', async () => {
    for (const name of Object.keys(endpoints) as Name[]) {
      const { method, path } = endpoints[name]
      if (method === 'GET') continue
      const plan = await PLANNERS[name](world, world.home, owner)
      const before = await world.server.database.pool.query('select coalesce(max(id),0) m from audit_log')
      const sender = plan.sender ?? owner
      const answer = await world.server.call({ method, path: path.replaceAll(/:(\w+)/g, (_, p) => String(plan.params?.[p])), body: plan.body, as: 'anonymous', headers: sender.headers })
      const rows = await world.server.database.pool.query('select * from audit_log where id > $1', [before.rows[0].m])
      console.log(name, answer.status, answer.headers.get('x-request-id'), JSON.stringify(answer.body)?.slice(0, 300), '\n', rows.rows.map((r) => JSON.stringify(r)).join('\n'))
    }
    expect(1).toBe(1)
  })
})
