import type { Clock } from '../../platform/clock.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts'
import type { PasswordCheckDeps } from './verify-password.ts'

/** The failed logins of an address in a minute. */
const FAILED_LOGINS_PER_ADDRESS = 300
/** The challenges of passkeys that an address gets in a minute. A page of the login takes one. */
const CHALLENGES_PER_ADDRESS = 300
const ADDRESS_WINDOW_MS = 60_000

/** More than are hashed at once, so that the database works on one attempt while another is hashed. */
const CONCURRENT_ATTEMPTS = 4
/** The waiting logins. At about 15 ms each, the last one waits for less than 15 s. */
const WAITING_ATTEMPTS_MAX = 1_000

/** Creates the limits of password attempts on this instance, whatever their purpose. */
export function createLoginLimits(deps: {
  readonly clock: Clock
}): Pick<PasswordCheckDeps, 'failures' | 'queue'> & { readonly challenges: AttemptWindow } {
  return {
    challenges: createAttemptWindow(deps, { limit: CHALLENGES_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS }),
    failures: createAttemptWindow(deps, { limit: FAILED_LOGINS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS }),
    queue: createFairQueue({
      concurrency: CONCURRENT_ATTEMPTS,
      waitingMax: WAITING_ATTEMPTS_MAX,
      message: 'Too many attempts to sign in are being checked. Try again in a moment.',
    }),
  }
}
