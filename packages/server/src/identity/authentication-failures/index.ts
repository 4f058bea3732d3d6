export { createFailureLog, type FailureLog, type NewFailure } from './create-failure-log.ts'
