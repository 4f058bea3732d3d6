import { listAll } from '../api/list-all.ts'
import { orEmpty } from '../api/or-empty.ts'
import type { CommandContext } from '../command-context.ts'

/** Returns the keys of the flags in the environments that the token may read: true while one is active. */
export async function listKnownFlags(context: CommandContext): Promise<ReadonlyMap<string, boolean>> {
  const api = context.api()
  const isNamed = context.names().environment !== undefined
  const environments = isNamed
    ? [await context.environment()]
    : await api.call('listEnvironments', { params: { project_id: (await context.project()).id } })
  const known = new Map<string, boolean>()
  for (const { id } of environments) {
    const reading = listAll(api, 'listFlags', { params: { env_id: id } })
    // A role or a key may be limited to some of the environments.
    const flags = await (environments.length > 1 ? orEmpty(reading) : reading)
    for (const { archived_at, key } of flags) known.set(key, archived_at === null || known.get(key) === true)
  }
  return known
}
