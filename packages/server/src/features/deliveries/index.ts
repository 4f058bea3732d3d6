export { attemptDelivery } from './attempt-delivery.ts'
export { createAttemptLog, trimLogsOf } from './attempt-log.ts'
export {
  type DeliveryJob,
  type FinishedAttempt,
  isDeliverable,
  type NextStep,
  nextStep,
} from './delivery-job.ts'
export { giveUpOldJobs } from './give-up-queries.ts'
export {
  claimJobs,
  dropJobs,
  dropJobsOf,
  dropJobsOfOtherEvents,
  insertSample,
  queueAgain,
  releaseJobs,
  renewClaims,
} from './job-queries.ts'
export { recordAttempts } from './log-queries.ts'
export {
  type FanOut,
  fanOutEvents,
  newestWaitingEvent,
  pruneEvents,
  readOccurrences,
} from './outbox-queries.ts'
export { createPayloadCache } from './payload-cache.ts'
