import type { CopySegments } from '../flag-operations/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { changeDependents, type DependentsDeps } from './change-segment.ts'
import { listSegments, saveSegment } from './queries.ts'

/**
 * Copies segments of another environment into the one being written, which has no segments with their keys
 * yet. Flags there that already name one of the keys are sent again.
 */
export function createCopySegments(deps: DependentsDeps & { readonly newId: () => string }): CopySegments {
  return async (write, actor, { keys: copied, sourceEnvironmentId }) => {
    const keys = new Set(copied)
    const environment_id = write.environment.id
    const before = await readSegments(write.tx, environment_id)
    for (const segment of await listSegments(write.tx, sourceEnvironmentId)) {
      if (!keys.has(segment.key)) continue
      await saveSegment(write.tx, { ...segment, id: deps.newId(), environment_id, created_at: write.now })
    }
    const after = await readSegments(write.tx, environment_id)
    const edit = { keys, rename: null, before, after }
    return (await changeDependents(deps, write, actor, edit)).changes
  }
}
