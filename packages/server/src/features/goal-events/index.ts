export {
  forgetGoalUser,
  markGoalDeleted,
  removeEmptyGoals,
  removeGoalEvents,
  removeGoalRollups,
  removeUserGoalEvents,
} from './deleting/queries.ts'
export { goalEventHandlers } from './handlers.ts'
