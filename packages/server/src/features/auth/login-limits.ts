import { createAttemptWindow } from '../../platform/attempt-window.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairQueue } from '../../platform/fair-queue.ts'
import type { PasswordCheckDeps } from './verify-password.ts'

/** Failed logins that an address may have in a minute. */
const FAILED_LOGINS_PER_ADDRESS = 300
const ADDRESS_WINDOW_MS = 60_000

/** More than are hashed at once, so that the database works on one guess while another is hashed. */
const CONCURRENT_GUESSES = 4
/** At some 15 ms each the last one waits for less than a quarter of a minute. */
const WAITING_GUESSES_MAX = 1_000

/** What limits the guesses that reach this instance, whatever they are for. */
export function createLoginLimits(deps: {
  readonly clock: Clock
}): Pick<PasswordCheckDeps, 'failures' | 'turns'> {
  return {
    failures: createAttemptWindow(deps, { limit: FAILED_LOGINS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS }),
    turns: createFairQueue({
      concurrency: CONCURRENT_GUESSES,
      waitingMax: WAITING_GUESSES_MAX,
      message: 'Too many logins are being checked. Try again in a moment.',
    }),
  }
}
