export { createDeliveries, type Deliveries } from './deliveries.ts'
export { type FinishedAttempt, nextStep } from './delivery-job.ts'
export { DELIVERIES_MAX } from './delivery-schedule.ts'
export {
  countDeliveryJobs,
  dropJobsOf,
  dropJobsOfOtherEvents,
  queueAgain,
} from './job-queries.ts'
export { recordAttempts } from './log-queries.ts'
export { countWaitingEvents, newestWaitingEvent, pruneEvents } from './outbox-queries.ts'
