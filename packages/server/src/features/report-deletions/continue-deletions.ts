import { listDeletionIds } from './queries.ts'
import { type RemovalDeps, removeSome } from './remove-some.ts'

/** Goes on with every deletion that is not complete until all are, or `isClosed` says so. One that fails holds up no other. */
export async function continueDeletions(deps: RemovalDeps, isClosed: () => boolean): Promise<void> {
  const errors: unknown[] = []
  for (const id of await listDeletionIds(deps.db)) {
    try {
      while (!isClosed() && !(await removeSome(deps, id)).isComplete);
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
