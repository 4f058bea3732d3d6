import type { KeyKind } from '../../src/kernel/actor.ts'
import { bearer, type Caller, fixedCaller } from './caller.ts'
import { createKey, LEGACY_KEY, type Place, type World } from './world.ts'

export type KeyColumn = 'key' | 'key env' | 'key prj' | 'client' | 'reader' | 'legacy'

/** Creates the callers with SDK keys. */
export async function createKeys(world: World): Promise<Caller[]> {
  return Promise.all(Object.keys(KEYS).map((column) => createKeyCaller(world, column as KeyColumn)))
}

interface KeyHolder {
  readonly key: string
  readonly id: number | 'legacy'
  readonly place: Place
  readonly environment_id: string
}

const KEYS: Record<KeyColumn, (world: World) => Promise<KeyHolder>> = {
  key: (world) => newKey(world, world.home),
  'key env': (world) => newKey(world, world.home, { environment_id: world.home.otherEnvironmentId }),
  'key prj': (world) => newKey(world, world.abroad),
  client: (world) => newKey(world, world.home, { kind: 'client' }),
  reader: (world) => newKey(world, world.home, { kind: 'reader' }),
  legacy: async ({ home }) => ({
    key: LEGACY_KEY,
    id: 'legacy',
    place: home,
    environment_id: home.environment_id,
  }),
}

async function newKey(
  world: World,
  place: Place,
  { environment_id = place.environment_id, kind = 'server' as KeyKind } = {},
): Promise<KeyHolder> {
  const { id, key } = await createKey(world, { project_id: place.project_id, environment_id, kind })
  return { id, key, place, environment_id }
}

async function createKeyCaller(world: World, column: KeyColumn): Promise<Caller> {
  const { environment_id, id, key, place } = await KEYS[column](world)
  const sees = { projectIds: [place.project_id], environmentIds: [environment_id] }
  return fixedCaller({ column, name: column, headers: bearer(key), identity: `sdk_key:${id}`, sees })
}
