import type { ErrorBody } from '@burgee/contract'
import type { Refusal, RefusalKind } from '../../kernel/refusal.ts'

/** The one table from kind of refusal to status (docs/reference/api.md, Statuses). */
export const REFUSAL_STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
}

export const statusOf = ({ kind }: Refusal): number => REFUSAL_STATUS[kind]

export interface ErrorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

/** Builds the response of a refusal. */
export function errorReply(refusal: Refusal): ErrorReply {
  const {
    attempts_remaining,
    conflicts,
    cookie,
    details,
    factors,
    impact,
    reason,
    retry_after_seconds,
    violations,
  } = refusal.extras
  return {
    status: statusOf(refusal),
    headers: {
      ...(retry_after_seconds !== undefined && { 'retry-after': String(retry_after_seconds) }),
      ...(cookie !== undefined && { 'set-cookie': cookie }),
      // RFC 9110, section 15.5.2: a 401 names a way to authenticate.
      ...(refusal.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    },
    body: {
      error: refusal.message,
      ...(details && { details: [...details] }),
      ...(attempts_remaining !== undefined && { attempts_remaining }),
      ...(conflicts && { conflicts: [...conflicts] }),
      ...(impact && { impact }),
      ...(violations && { violations: [...violations] }),
      ...(reason !== undefined && { reason }),
      ...(factors !== undefined && { factors: [...factors] }),
      ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    },
  }
}
