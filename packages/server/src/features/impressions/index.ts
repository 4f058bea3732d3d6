export {
  markFlagDeleted,
  removeEmptyFlags,
  removeFlagImpressions,
  removeFlagRollups,
} from './deletion-queries.ts'
export { impressionHandlers } from './handlers.ts'
export { forgetUser, removeUserImpressions } from './user-deletion-queries.ts'
