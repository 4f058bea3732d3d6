export { createFailureLog, type FailureLog, type NewFailure } from './create-failure-log.ts'
export {
  countRefused,
  countSuccess,
  type LoginMetrics,
  measureLogins,
  type ProofResult,
} from './measure-logins.ts'
