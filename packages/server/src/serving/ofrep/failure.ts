import type { Refusal, RefusalKind } from '../../kernel/refusal.ts'

type ErrorCode = 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL'

/** An error as OFREP describes it, with the `error` that every error of this server has. */
export interface Failure {
  readonly error: string
  readonly errorCode: ErrorCode
  readonly errorDetails: string
  readonly key?: string
  readonly retry_after_seconds?: number
}

const CODES: Partial<Record<RefusalKind, ErrorCode>> = {
  malformed: 'PARSE_ERROR',
  invalid: 'INVALID_CONTEXT',
  not_found: 'FLAG_NOT_FOUND',
}

/** Returns the body of a refusal; null for an internal error. `key` is that of the requested flag. */
export function toFailure(refusal: Refusal | null, error: string, key: string | null): Failure {
  const errorCode = (refusal && CODES[refusal.kind]) ?? 'GENERAL'
  const { retry_after_seconds } = refusal?.extras ?? {}
  return {
    error,
    errorCode,
    errorDetails: error,
    ...(key !== null && { key }),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
  }
}

/** The status of a refusal, where it differs from that of other endpoints: OFREP has no 422. */
export const failureStatus = (status: number): number => (status === 422 ? 400 : status)

const EVALUATE_URL = /^\/ofrep\/v1\/evaluate\/flags(?:\/([^?#]*))?(?:[?#]|$)/
const KEY_SHOWN_MAX_LENGTH = 300

/** Returns the key of the flag that the address of a request names; undefined for other addresses. */
export function flagKeyIn(url: string): string | null | undefined {
  const found = EVALUATE_URL.exec(url)
  if (!found) return url.startsWith('/ofrep/v1/events') ? null : undefined
  return found[1] === undefined ? null : decode(found[1]).slice(0, KEY_SHOWN_MAX_LENGTH).toWellFormed()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
