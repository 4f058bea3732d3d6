export { accountKey, deviceKey, factorKey } from './account-key.ts'
export { type AttemptDeps, type Counter, countAddress, countAttempt, type Verdict } from './count-attempt.ts'
export { findLocks, forgetFailures, pruneFailures } from './failure-queries.ts'
export {
  createKnownDevices,
  type KnownDevice,
  type KnownDevices,
} from './known-devices.ts'
export { createLoginLimits } from './login-limits.ts'
export { type OpenedAccount, type PasswordCheckDeps, verifyPassword } from './verify-password.ts'
