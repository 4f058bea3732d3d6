import type { SegmentPatch } from '@burgee/contract'
import { conflict, invalid } from '../../kernel/refusal.ts'
import {
  membersOf,
  renameSegment,
  type SegmentMembers,
  type SegmentRename,
  type Segments,
} from '../rules/index.ts'
import type { SegmentEdit } from './change-segment.ts'
import { patchContent, type SegmentContent } from './segment-content.ts'

/** Returns the segment after the patch, which creates it when there is none. */
export function patchedContent(
  before: SegmentContent | null,
  key: string,
  patch: SegmentPatch,
): SegmentContent {
  if (before) return patchContent(before, patch)
  if (patch.name === undefined) throw invalid([{ path: '/name', message: 'is required' }])
  return patchContent({ name: patch.name, key, description: null, rules: [] }, patch)
}

/** Returns the edit of the environment's segments that a write would make. */
export function toEdit(
  segments: Segments,
  before: SegmentContent | null,
  after: SegmentContent | null,
): SegmentEdit {
  const rename = before && after && before.key !== after.key ? { from: before.key, to: after.key } : null
  if (after && after.key !== before?.key && segments.has(after.key))
    throw conflict(`There is a segment "${after.key}" already.`)
  const changed = new Map(
    rename ? [...segments].map(([key, each]) => [key, renameIn(each, rename)] as const) : segments,
  )
  if (before) changed.delete(before.key)
  const members = after && membersOf(after)
  if (members) changed.set(after.key, rename ? renameIn(members, rename) : members)
  const keys = new Set([before?.key, after?.key].filter((key) => key !== undefined))
  return { keys, rename, before: segments, after: changed }
}

const renameIn = (segment: SegmentMembers, { from, to }: SegmentRename): SegmentMembers => ({
  ...segment,
  rules: [...renameSegment(segment.rules, from, to)],
})
