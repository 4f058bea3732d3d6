export { attemptDelivery } from './attempt-delivery.ts'
export { createAttemptLog, trimLogsOf } from './attempt-log.ts'
export { type DeliveryJob, type FinishedAttempt, mayBeTold } from './delivery-job.ts'
export { recordAttempts } from './log/queries.ts'
export { fanOutEvents, newestWaitingEvent, pruneEvents, readOccurrences } from './outbox/queries.ts'
export {
  claimJobs,
  dropJobs,
  dropJobsOf,
  insertSample,
  queueAgain,
  releaseJobs,
  renewClaims,
} from './queries.ts'
