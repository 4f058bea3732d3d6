export { type Execution, executeScheduledChange } from './execute-scheduled-change.ts'
export { scheduledChangeHandlers } from './handlers.ts'
export {
  type DueChange,
  type DueSelection,
  insertScheduledChange,
  listDueChanges,
  listPendingPatches,
  removePendingChanges,
  scheduledChangeExists,
} from './queries.ts'
export { renameSegmentInPending } from './rename-segment-in-pending.ts'
