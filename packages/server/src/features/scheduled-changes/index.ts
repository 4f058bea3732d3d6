export { executeScheduledChange } from './execute-scheduled-change.ts'
export { scheduledChangeHandlers } from './handlers.ts'
export { listScheduledRules } from './list-scheduled-rules.ts'
export {
  countDueChanges,
  insertScheduledChange,
  listChangesBy,
  listDueChanges,
  lockPendingChange,
  removePendingChanges,
  removeScheduledChange,
  scheduledChangeExists,
} from './queries.ts'
export { renameSegmentInPending } from './rename-segment-in-pending.ts'
export { type PlannedChanges, requestPlannedChanges } from './request-planned-changes.ts'
export { createScheduler } from './scheduler.ts'
export { settleSchedules } from './settle-schedules.ts'
