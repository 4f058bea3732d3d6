export { createFailureLog } from './create-failure-log.ts'
export {
  countRefused,
  countSuccess,
  type LoginMetrics,
  measureLogins,
} from './measure-logins.ts'
export { observeLogins } from './observe-logins.ts'
