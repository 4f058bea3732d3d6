export { type Execution, executeScheduledChange } from './execute-scheduled-change.ts'
export { scheduledChangeHandlers } from './handlers.ts'
export {
  type DueChange,
  type DueSelection,
  insertScheduledChange,
  listDueChanges,
  removePendingChanges,
  scheduledChangeExists,
} from './queries.ts'
