import { type CopySegments, readSegmentRules } from '../flags/index.ts'
import { changeDependents } from './change-segment.ts'
import { listSegments, saveSegment } from './queries.ts'

/**
 * Copies segments of another environment into the one being written, where no segment has their keys yet. Flags there
 * that already name one of the keys are sent again.
 */
export function createCopySegments({ newId }: { readonly newId: () => string }): CopySegments {
  return async (write, actor, { keys, source_environment_id }) => {
    const environment_id = write.environment.id
    const before = await readSegmentRules(write.tx, environment_id)
    for (const segment of await listSegments(write.tx, source_environment_id)) {
      if (!keys.includes(segment.key)) continue
      await saveSegment(write.tx, { ...segment, id: newId(), environment_id, created_at: write.now })
    }
    const after = await readSegmentRules(write.tx, environment_id)
    return changeDependents(write, actor, { keys: new Set(keys), rename: null, before, after })
  }
}
