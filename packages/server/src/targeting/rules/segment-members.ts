import type { Segment } from '@burgee/contract'

/** The parts of a segment that decide which users are in it. */
export type SegmentMembers = Pick<Segment, 'rules' | 'included_keys' | 'excluded_keys'>

/** The segments of an environment, by key. */
export type Segments = ReadonlyMap<string, SegmentMembers>

export const membersOf = ({ excluded_keys, included_keys, rules }: SegmentMembers): SegmentMembers => ({
  rules,
  ...(included_keys && { included_keys }),
  ...(excluded_keys && { excluded_keys }),
})
