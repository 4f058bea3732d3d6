import type { Caller } from './caller.ts'
import { createKeys } from './keys.ts'
import { createNobodies } from './nobodies.ts'
import { createPeople } from './people.ts'
import type { World } from './world.ts'

/** Every caller of the matrix: one a column, and several nobodies. */
export async function createCallers(world: World): Promise<Caller[]> {
  const groups = await Promise.all([createNobodies(world), createPeople(world), createKeys(world)])
  return groups.flat()
}
