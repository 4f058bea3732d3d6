export { executeScheduledChange } from './execute-scheduled-change.ts'
export { scheduledChangeHandlers } from './handlers.ts'
export {
  type DueChange,
  insertScheduledChange,
  listDueChanges,
  removePendingChanges,
  scheduledChangeExists,
} from './queries.ts'
