import { createAttemptWindow } from '../../platform/attempt-window.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairQueue } from '../../platform/fair-queue.ts'
import type { PasswordCheckDeps } from './verify-password.ts'

/** The failed logins of an address in a minute. */
const FAILED_LOGINS_PER_ADDRESS = 300
const ADDRESS_WINDOW_MS = 60_000

/** More than are hashed at once, so that the database works on one attempt while another is hashed. */
const CONCURRENT_ATTEMPTS = 4
/** The waiting logins. At about 15 ms each, the last one waits for less than 15 s. */
const WAITING_ATTEMPTS_MAX = 1_000

/** Creates the limits of password attempts on this instance, whatever their purpose. */
export function createLoginLimits(deps: {
  readonly clock: Clock
}): Pick<PasswordCheckDeps, 'failures' | 'queue'> {
  return {
    failures: createAttemptWindow(deps, { limit: FAILED_LOGINS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS }),
    queue: createFairQueue({
      concurrency: CONCURRENT_ATTEMPTS,
      waitingMax: WAITING_ATTEMPTS_MAX,
      message: 'Too many logins are being checked. Try again in a moment.',
    }),
  }
}
