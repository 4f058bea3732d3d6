export { changeFlag } from './change-flag.ts'
export { hasPrerequisite } from './creation-queries.ts'
export { type BehaviourDecision, decideBehaviour } from './decide-behaviour.ts'
export { type FlagDeps, flagHandlers } from './handlers.ts'
export { type CreationDeps, needsApproval, needsApprovalToExist } from './needs-approval.ts'
export {
  applyAndRecord,
  type FlagWriteDeps,
  operateOnFlag,
  type ProposedChange,
  type QueuedChange,
  type WrittenFlagResult,
} from './operate-on-flag.ts'
export type { CopySegments } from './promote-flag.ts'
export { readWaitingRules } from './read-waiting-rules.ts'
