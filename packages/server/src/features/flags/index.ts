export { withWarnings } from '../../kernel/with-warnings.ts'
export { diffFlags } from './diff-flags.ts'
export { expandRules, type SegmentRules, segmentsBehind } from './expand-rules.ts'
export { findWarnings } from './find-warnings.ts'
export { toRule } from './flag.ts'
export { applyOperation, type FlagOperation } from './flag-operation.ts'
export { flagHandlers } from './handlers.ts'
export { loadWireFlags } from './load-wire-flags.ts'
export {
  applyAndRecord,
  type FlagWriteDeps,
  type ProposedChange,
  type QueuedChange,
  type WrittenFlagResult,
} from './operate-on-flag.ts'
export type { CopySegments } from './promote-flag.ts'
export {
  findCreationTimes,
  findFlag,
  findFlags,
  flagExists,
  listFlagsNamingSegments,
  readSegmentRules,
  saveFlag,
} from './queries.ts'
export { renameSegment, renameSegmentInStored, type SegmentRename } from './rename-segment.ts'
export { etagOf } from './require-revision.ts'
export { findRuleWarnings } from './rule-warnings.ts'
export { readStoredOperation } from './stored-operation.ts'
export { requireSendable, toWireFlag } from './to-wire-flag.ts'
export { findUnknownFields } from './unknown-fields.ts'
export { validateRules } from './validate-rules.ts'
export { readWaitingRules, type WaitingRules } from './waiting-rules.ts'
