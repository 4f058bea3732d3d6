export { executeNextChange } from './execute-scheduled-change.ts'
export { countDueChanges, listDueEnvironments } from './execution-queries.ts'
export { scheduledChangeHandlers } from './handlers.ts'
export { listScheduledChanges } from './list-scheduled-changes.ts'
export { listScheduledRules } from './list-scheduled-rules.ts'
export { planImpact } from './plan-impact.ts'
export {
  findPendingAmong,
  insertScheduledChange,
  lockPendingChange,
  removePendingChanges,
  removeScheduledChange,
  renamePlanner,
} from './queries.ts'
export { renameSegmentInPending } from './rename-segment-in-pending.ts'
export { requestPlannedChanges } from './request-planned-changes.ts'
export { createScheduler, type Scheduler } from './scheduler.ts'
export { settleSchedules } from './settle-schedules.ts'
