export {
  markFlagDeleted,
  removeEmptyFlags,
  removeFlagImpressions,
  removeFlagRollups,
} from './deleting/queries.ts'
export { forgetUser, removeUserImpressions } from './deleting/user-queries.ts'
export { impressionHandlers } from './handlers.ts'
