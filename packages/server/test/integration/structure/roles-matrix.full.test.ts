import { ACCESS, endpoints, PERMISSIONS, type Permission } from '@burgee/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDPOINT_NAMES, type EndpointName, observe, paramsOf } from '../../authorization/observe.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import { createWorld, type World } from '../../authorization/world.ts'
import { createRole, memberWith } from '../../roles/members.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.server.close())

// These calls hand rights on, and need those rights themselves (roles.test.ts).
const HANDS_RIGHTS_ON: readonly EndpointName[] = ['addMember', 'updateMember', 'removeMember', 'createSdkKey']
const IN_PROJECTS = ENDPOINT_NAMES.filter((name) =>
  paramsOf(name).some((param) => param === 'project_id' || param === 'env_id'),
).filter((name) => !HANDS_RIGHTS_ON.includes(name))

it.each(PERMISSIONS)('a role with %s alone gives exactly the endpoints that name it', async (permission) => {
  const caller = await memberWith(world, await createRole(world, [permission]))
  const answers: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const name of IN_PROJECTS) {
    const plan = await PLANNERS[name](world, world.home, caller)
    answers[name] = await observe(world, name, caller, plan)
    expected[name] = expectedCell(name, permission)
  }
  expect(answers).toEqual(expected)
})

/** Names of keys and notes about drift are for those who may also read the environments. */
const NEEDS_ENVIRONMENT: Readonly<Partial<Record<EndpointName, string>>> = {
  getSdkKey: '404',
  putDriftNote: '403',
  deleteDriftNote: '404',
}

function expectedCell(name: EndpointName, permission: Permission): string {
  const { access } = endpoints[name]
  const withoutEnvironment = NEEDS_ENVIRONMENT[name]
  if (access === permission && withoutEnvironment !== undefined) return withoutEnvironment
  return access === permission || ACCESS[access].user === 'any' ? 'ok' : '403'
}
