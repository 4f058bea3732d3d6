import type { SsoFailure } from '@burgee/contract'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { SsoRefused } from './sso-refused.ts'

/** The errors of an authorization response for which the person, and not the configuration, is the cause. */
const REFUSALS: readonly string[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
]
const OUTAGES: readonly string[] = ['server_error', 'temporarily_unavailable']

/** The codes of errors in what the provider sent. */
const CODES: Readonly<Record<string, SsoFailure>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_TIMEOUT: 'provider_unavailable',
  OAUTH_ABORT: 'provider_unavailable',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_unavailable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_unavailable',
}

const SERVER_ERRORS = 500

/** Returns the failure of an exchange with the provider, with the error as its cause. */
export function toRefused(error: unknown): SsoRefused {
  return error instanceof SsoRefused ? error : new SsoRefused(failureOf(error), describeCause(error))
}

function failureOf(error: unknown): SsoFailure {
  if (error instanceof AuthorizationResponseError) {
    if (REFUSALS.includes(error.error)) return 'access_denied'
    return OUTAGES.includes(error.error) ? 'provider_unavailable' : 'misconfigured'
  }
  if (error instanceof ResponseBodyError) {
    // The code was used already, or is too old.
    if (error.error === 'invalid_grant') return 'expired'
    return error.status >= SERVER_ERRORS ? 'provider_unavailable' : 'misconfigured'
  }
  if (error instanceof WWWAuthenticateChallengeError) return 'misconfigured'
  if (error instanceof ClientError) return CODES[error.code ?? ''] ?? 'invalid_response'
  // Everything else is a failure of the network: `fetch` throws a TypeError, and a timeout a DOMException.
  return 'provider_unavailable'
}

/** Describes an error for the log: what went wrong, without any part of a token or a response. */
function describeCause(error: unknown): Error {
  const { code, message } = Object(error)
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const { error: name, error_description: description } = error
    return new Error(`the identity provider responded with ${name}${description ? `: ${description}` : ''}`)
  }
  const inner: unknown = Object(error).cause
  const reason = inner instanceof Error && inner.message !== message ? ` (${inner.message})` : ''
  return new Error(`${message ?? 'an unknown error'}${reason}${code === undefined ? '' : ` [${code}]`}`)
}
