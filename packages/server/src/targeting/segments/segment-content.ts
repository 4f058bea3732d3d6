import type { Segment, SegmentPatch } from '@burgee/contract'
import { membersOf, toRule } from '../rules/index.ts'
import { keyListsOf } from './key-lists.ts'

/** The fields of a segment that a write sets. */
export type SegmentContent = Pick<
  Segment,
  'name' | 'key' | 'description' | 'rules' | 'included_keys' | 'excluded_keys'
>

export const contentOf = ({ description, key, name, ...members }: SegmentContent): SegmentContent => ({
  name,
  key,
  description,
  ...membersOf(members),
})

/** Applies a merge patch of flat fields: null clears description, rules and lists of keys. */
export function patchContent(
  { excluded_keys, included_keys, ...segment }: SegmentContent,
  { description, key, name, rules, ...lists }: SegmentPatch,
): SegmentContent {
  return {
    name: name ?? segment.name,
    key: key ?? segment.key,
    description: description === undefined ? segment.description : description,
    rules: rules === undefined ? segment.rules : (rules ?? []).map(toRule),
    ...keyListsOf({
      included_keys: lists.included_keys === undefined ? included_keys : lists.included_keys,
      excluded_keys: lists.excluded_keys === undefined ? excluded_keys : lists.excluded_keys,
    }),
  }
}
