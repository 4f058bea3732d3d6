export {
  markFlagDeleted,
  removeEmptyFlags,
  removeFlagImpressions,
  removeFlagRollups,
} from './deletion-queries.ts'
export { impressionHandlers } from './handlers.ts'
export { type ImpressionBatch, toImpressionBatch } from './impression-batch.ts'
export { createImpressionIngest } from './ingest-impressions.ts'
export { findRecorded, type RecordedEvaluation } from './recorded-queries.ts'
export { forgetUser, removeUserImpressions } from './user-deletion-queries.ts'
