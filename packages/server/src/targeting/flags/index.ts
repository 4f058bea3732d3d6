export { changeFlag } from './change-flag.ts'
export { type BehaviourDecision, decideBehaviour } from './decide-behaviour.ts'
export { diffFlags } from './diff-flags.ts'
export type { EnvironmentRead } from './environment-read.ts'
export { computeWarnings, findWarnings } from './find-warnings.ts'
export { toFlagContent } from './flag.ts'
export {
  applyOperation,
  type FlagOperation,
  type FlagOutcome,
  type OperationMoment,
} from './flag-operation.ts'
export { readFlagTimes, saveFlag } from './flag-row-queries.ts'
export { flagHandlers } from './handlers.ts'
export { loadWireFlags } from './load-wire-flags.ts'
export { needsApproval, needsApprovalToExist } from './needs-approval.ts'
export { listNumberFlags } from './number-flag-queries.ts'
export {
  applyAndRecord,
  type FlagWriteDeps,
  operateOnFlag,
  type ProposedChange,
  type QueuedChange,
  type WrittenFlagResult,
} from './operate-on-flag.ts'
export type { CopySegments } from './promote-flag.ts'
export {
  countFlagBytes,
  findCreationTimes,
  findFlag,
  findFlags,
  findListedFlag,
  findRevision,
  flagExists,
  listActiveFlags,
  listFlagsNamingSegments,
  listManagedKeys,
} from './queries.ts'
export { readWaitingRules } from './read-waiting-rules.ts'
export {
  type Preconditions,
  preconditionsOf,
  requireRevision,
} from './require-revision.ts'
export { readStoredOperation } from './stored-operation.ts'
export { requireSendable, toWireFlag } from './to-wire-flag.ts'
export { measureTypedFlags, typedFlagList } from './typed-flag-queries.ts'
export { validateValueSchema } from './value-schema/validate-value-schema.ts'
export { findVariantWarnings } from './value-warnings.ts'
