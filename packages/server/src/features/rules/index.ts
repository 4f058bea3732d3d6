export { expandRules } from './expand-rules.ts'
export { findRuleWarnings } from './find-rule-warnings.ts'
export { findUnknownFields } from './find-unknown-fields.ts'
export { fitsType } from './fits-type.ts'
export type { FlagRules } from './flag-rules.ts'
export { readReachedSegments, readSegments } from './queries.ts'
export { renameSegment, renameSegmentInStored, type SegmentRename } from './rename-segment.ts'
export {
  membersOf,
  namesSegment,
  type SegmentMembers,
  type Segments,
  segmentsBehind,
  segmentsNamedBy,
} from './segment-members.ts'
export { toRule } from './to-rule.ts'
export { validateRules } from './validate-rules.ts'
