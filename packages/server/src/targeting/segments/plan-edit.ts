import type { Flag, SegmentPatch } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { renameSegment, type Segments } from '../rules/index.ts'
import type { SegmentEdit } from './change-segment.ts'
import { type EditReach, isReached } from './edit-reach.ts'
import { contentOf, type SegmentContent } from './segment-content.ts'
import { patchedContent, toEdit } from './to-segment-edit.ts'
import { validateSegment } from './validate-segment.ts'

/** A write of a segment that is not made: its content before and after, and what it does to all segments. */
export interface PlannedEdit {
  readonly before: SegmentContent | null
  readonly after: SegmentContent | null
  readonly edit: SegmentEdit
}

/**
 * Plans a write of a segment, or its deletion where the patch is null. Refuses what the write would refuse,
 * except for a missing approval. Works in turns: a segment may have 100,000 rules.
 */
export async function planEdit(
  segments: Segments,
  stored: SegmentContent | null,
  { key, patch }: { readonly key: string; readonly patch: SegmentPatch | null },
): Promise<PlannedEdit> {
  if (!stored && patch === null) throw notFound('segment')
  const before = stored && contentOf(stored)
  const after = patch && patchedContent(before, key, patch)
  await shareTurn()
  if (after) validateSegment(after, before)
  await shareTurn()
  return { before, after, edit: toEdit(segments, before, after) }
}

/** Returns a flag with the rules that it has after an edit; null where the edit does not reach it. */
export function afterEdit(flag: Flag, { rename }: SegmentEdit, reach: EditReach): Flag | null {
  const rules = rename ? [...renameSegment(flag.rules, rename.from, rename.to)] : flag.rules
  const current = { ...flag, rules }
  return isReached(rules, reach) ? current : null
}
