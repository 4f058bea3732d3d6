export { type SegmentRules, segmentsBehind } from './expand-rules.ts'
export { toRule } from './flag.ts'
export { applyOperation, type FlagOperation } from './flag-operation.ts'
export { flagHandlers } from './handlers.ts'
export { loadWireFlags } from './load-wire-flags.ts'
export { type AskedChange, type FlagWriteDeps, performOperation } from './operate-on-flag.ts'
export type { CopySegments } from './promote-flag.ts'
export {
  findFlag,
  findFlags,
  flagExists,
  listFlagsNamingSegments,
  readSegmentRules,
  saveFlag,
} from './queries.ts'
export { renameSegment } from './rename-segment.ts'
export { etagOf } from './require-revision.ts'
export { findRuleWarnings } from './rule-warnings.ts'
export { toWireFlag } from './to-wire-flag.ts'
export { findUnknownFields } from './unknown-fields.ts'
export { validateRules } from './validate-rules.ts'
export { withWarnings } from './with-warnings.ts'
