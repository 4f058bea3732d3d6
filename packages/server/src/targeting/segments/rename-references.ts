import type { EnvironmentWrite } from '../../changes/index.ts'
import { conflict } from '../../kernel/refusal.ts'
import { renameSegment, type SegmentRename } from '../rules/index.ts'
import type { SegmentDeps } from './create-segment.ts'
import { listSegments, saveSegment } from './queries.ts'

/**
 * Writes the new key into other segments that name the old one, and into pending changes; flags follow with
 * the change itself. Refuses with `conflict` when the key exists.
 */
export async function rewriteReferences(
  deps: Pick<SegmentDeps, 'onSegmentRenamed'>,
  write: EnvironmentWrite,
  { from, to }: SegmentRename,
): Promise<void> {
  const segments = await listSegments(write.tx, write.environment.id)
  if (segments.some((segment) => segment.key === to)) throw conflict(`There is a segment "${to}" already.`)
  for (const segment of segments) {
    const rules = renameSegment(segment.rules, from, to)
    if (rules !== segment.rules) await saveSegment(write.tx, { ...segment, rules: [...rules] })
  }
  await deps.onSegmentRenamed(write, { from, to })
}
