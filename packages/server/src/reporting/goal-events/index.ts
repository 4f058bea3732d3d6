export {
  forgetGoalUser,
  markGoalDeleted,
  removeEmptyGoals,
  removeGoalEvents,
  removeGoalRollups,
  removeUserGoalEvents,
} from './deletion-queries.ts'
export { goalEventHandlers } from './handlers.ts'
