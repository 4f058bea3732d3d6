import type { Flag, ImpactChange, Segment } from '@burgee/contract'
import type { PlannedUndo, RevertPlan } from './plan-revert.ts'

/** Returns the changes that an undo makes, as an impact takes them: flags first, as they are written. */
export const toImpactChanges = ({ flags, segments }: RevertPlan): ImpactChange[] => [
  ...[...flags].flatMap(([key, planned]) => flagChanges(key, planned)),
  ...[...segments.values()].flatMap(segmentChanges),
]

function flagChanges(flag_key: string, { after, before }: PlannedUndo<Flag>): ImpactChange[] {
  // The fields are those of a stored flag, merged with fields of an earlier version.
  const flag = after as unknown as Flag | null
  if (!flag) return []
  const { archived_at, revision: _, ...content } = flag
  const isArchived = archived_at !== null
  const archived: ImpactChange[] = isArchived ? [{ flag_key, operation: 'archive' }] : []
  if (isArchived && before?.archived_at === null) return archived
  // Nothing reads the fields of a flag that is in the archive.
  if (isArchived && before) return []
  return [{ flag_key, operation: 'replace', flag: content }, ...archived]
}

function segmentChanges({ after, before }: PlannedUndo<Segment>): ImpactChange[] {
  // The fields are those of a stored segment, merged with fields of an earlier version.
  const segment = after as unknown as Segment | null
  if (!segment) return before ? [{ segment_key: before.key, patch: null }] : []
  const { description, key, name, rules } = segment
  return [{ segment_key: before?.key ?? key, patch: { key, name, description, rules } }]
}
