import type { Segment, SegmentPatch } from '@burgee/contract'
import { conflict, invalid } from '../../kernel/refusal.ts'
import { renameSegment, type SegmentRules } from '../rules/index.ts'
import type { SegmentEdit } from './change-segment.ts'
import { patchContent } from './patch-segment.ts'

/** The fields of a segment that a write sets. */
export type SegmentContent = Pick<Segment, 'name' | 'key' | 'description' | 'rules'>

export const contentOf = ({ description, key, name, rules }: Segment): SegmentContent => ({
  name,
  key,
  description,
  rules,
})

/** Returns the segment after the patch, which creates it when there is none. */
export function patchedContent(
  before: SegmentContent | null,
  key: string,
  patch: SegmentPatch,
): SegmentContent {
  if (before) return patchContent(before, patch)
  if (patch.name === undefined) throw invalid([{ path: '/patch/name', message: 'is required' }])
  return patchContent({ name: patch.name, key, description: null, rules: [] }, patch)
}

/** Returns the edit of the environment's segments that a write would make. */
export function toEdit(
  rules: SegmentRules,
  before: SegmentContent | null,
  after: SegmentContent | null,
): SegmentEdit {
  const rename = before && after && before.key !== after.key ? { from: before.key, to: after.key } : null
  if (after && after.key !== before?.key && rules.has(after.key))
    throw conflict(`There is a segment "${after.key}" already.`)
  const changed = new Map(
    rename
      ? [...rules].map(([key, each]) => [key, renameSegment(each, rename.from, rename.to)] as const)
      : rules,
  )
  if (before) changed.delete(before.key)
  if (after) changed.set(after.key, rename ? renameSegment(after.rules, rename.from, rename.to) : after.rules)
  const keys = new Set([before?.key, after?.key].filter((key) => key !== undefined))
  return { keys, rename, before: rules, after: changed }
}
