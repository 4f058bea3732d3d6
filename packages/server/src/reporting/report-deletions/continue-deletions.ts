import { listDeletionIds } from './queries.ts'
import { type RemovalDeps, removeSome } from './remove-some.ts'

/**
 * Continues all incomplete deletions until they are complete or `isClosed` returns true. One that fails does
 * not delay others.
 */
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
