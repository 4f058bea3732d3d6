export { withWarnings } from '../../kernel/with-warnings.ts'
export { expandRules, type SegmentRules, segmentsBehind } from '../rules/expand-rules.ts'
export { findRuleWarnings } from '../rules/find-rule-warnings.ts'
export { findUnknownFields } from '../rules/find-unknown-fields.ts'
export { renameSegment, renameSegmentInStored, type SegmentRename } from '../rules/rename-segment.ts'
export { validateRules } from '../rules/validate-rules.ts'
export { diffFlags } from './diff-flags.ts'
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
export { readWaitingRules, type WaitingRules } from './read-waiting-rules.ts'
export { etagOf } from './require-revision.ts'
export { readStoredOperation } from './stored-operation.ts'
export { requireSendable, toWireFlag } from './to-wire-flag.ts'
