import type { Segment } from '@burgee/contract'
import type { EnvironmentWrite, WriteOutcome } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { renameSegment } from '../rules/index.ts'
import { type ChangedSegment, changeSegment } from './change-segment.ts'
import type { SegmentDeps } from './create-segment.ts'
import type { UnsavedSegment } from './queries.ts'
import { rewriteReferences } from './rename-references.ts'
import { contentOf } from './segment-content.ts'
import { validateSegment } from './validate-segment.ts'

/** A segment of the history that is to be there again; null before or after where there is none. */
interface RevisedSegment {
  readonly before: Segment | null
  readonly after: UnsavedSegment | null
  /** The flags whose rules keep the present key when the segment gets its earlier one. */
  readonly keptFlags: ReadonlySet<string>
}

/** Gives a segment an earlier state, with its key in all rules. Refuses with `invalid` and `conflict`. */
export async function reviseSegment(
  deps: SegmentDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { after, before, keptFlags }: RevisedSegment,
): Promise<WriteOutcome<ChangedSegment>> {
  if (after) validateSegment(contentOf(after), after)
  if (!before || !after || before.key === after.key)
    return changeSegment(deps, write, actor, { before, after, action: 'restore' })
  await rewriteReferences(deps, write, { from: before.key, to: after.key })
  const renamed = { ...after, rules: [...renameSegment(after.rules, before.key, after.key)] }
  return changeSegment(deps, write, actor, { before, after: renamed, action: 'restore', keptFlags })
}
