import { LOGIN_LOCK_MS } from '@burgee/contract'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { countOf } from '../../shared/ui/count-of.ts'

const SECOND_MS = 1_000
const SECONDS_PER_MINUTE = 60
const LOCK_MINUTES = LOGIN_LOCK_MS / SECOND_MS / SECONDS_PER_MINUTE

/** Why someone could not sign in or confirm who they are, in words. A lock states how long it lasts. */
export type LoginFailure =
  | { readonly kind: 'locked'; readonly message: string; readonly seconds: number }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Reads the response to a login or a confirmation (docs/reference/access.md#login). A wrong guess has
 * `attempts_remaining`, a lock has `retry_after_seconds`.
 */
export function toLoginFailure(error: unknown): LoginFailure {
  const message = messageOf(error)
  if (!(error instanceof ApiError)) return { kind: 'refused', message }
  const { attempts_remaining, retry_after_seconds } = error.body
  if (error.status === 429 && typeof retry_after_seconds === 'number') {
    return { kind: 'locked', message, seconds: retry_after_seconds }
  }
  if (![401, 403].includes(error.status) || typeof attempts_remaining !== 'number')
    return { kind: 'refused', message }
  if (attempts_remaining === 0) {
    const locked = `${message} This account is locked after too many failures.`
    return { kind: 'locked', message: locked, seconds: LOGIN_LOCK_MS / SECOND_MS }
  }
  const tries = countOf(attempts_remaining, 'more try', 'more tries')
  return {
    kind: 'refused',
    message: `${message} ${tries}, then the account is locked for ${LOCK_MINUTES} minutes.`,
  }
}

/** Time that is left, as a clock shows it: `14:05`. */
export function countdown(seconds: number): string {
  const rest = String(seconds % SECONDS_PER_MINUTE).padStart(2, '0')
  return `${Math.floor(seconds / SECONDS_PER_MINUTE)}:${rest}`
}
