import type { Caller } from './caller.ts'
import { createKeys } from './keys.ts'
import { createMembers } from './members.ts'
import { createNobodies } from './nobodies.ts'
import { createPeople } from './people.ts'
import type { World } from './world.ts'

/** Creates every caller of the matrix: one for each column, and several without a valid credential. */
export async function createCallers(world: World): Promise<Caller[]> {
  const groups = await Promise.all([
    createNobodies(world),
    createPeople(world),
    createKeys(world),
    createMembers(world),
  ])
  return groups.flat()
}
