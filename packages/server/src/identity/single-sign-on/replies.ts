import { API_POLICY } from '../../kernel/api-policy.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { SsoRefused } from '../oidc/index.ts'
import { continuePage } from './continue-page.ts'

interface Redirect {
  readonly status: 303
  readonly body: null
  readonly headers: { readonly location: string; readonly 'set-cookie': readonly string[] }
}

export const redirect = (location: string, cookies: readonly string[]): Redirect => ({
  status: 303,
  body: null,
  headers: { location, 'set-cookie': cookies },
})

/** Returns a page that sets the cookies and opens the path. */
export const openPath = (path: string, cookies: readonly string[]): EncodedReply => ({
  status: 200,
  bytes: continuePage(path),
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': API_POLICY,
    'cache-control': 'no-store',
    'set-cookie': cookies,
  },
})

/** Redirects to a path of this server. */
export const redirectWithin = (basePath: string, path: string, cookies: readonly string[]): Redirect =>
  redirect(basePath + path, cookies)

interface FailedLogin {
  /** The path of this server's address; empty at the root. */
  readonly basePath: string
  readonly log: Log
  readonly request_id: string
  readonly purpose: 'login' | 'link' | 'reauthenticate'
  /** The path that the person wanted to open. */
  readonly returnTo: string
  readonly cookies: readonly string[]
}

const LOGIN_PAGE = '/login'
const NOWHERE = 'http://nowhere.invalid'

/**
 * Redirects to a page that explains the failure: the login page, or for a session the page that it came from.
 * Errors that are no refusal are thrown again.
 */
export function refuse(
  error: unknown,
  { basePath, cookies, log, purpose, request_id, returnTo }: FailedLogin,
): Redirect {
  const refused = toSsoRefused(error)
  if (refused === null) throw error
  const { cause, failure } = refused
  log.warn({ failure, err: cause, request_id }, 'a login with single sign-on was refused')
  if (purpose === 'login')
    return redirectWithin(basePath, loginPage(returnTo, { sso_error: failure }), cookies)
  const page = new URL(returnTo, NOWHERE)
  page.searchParams.set('sso_error', failure)
  return redirectWithin(basePath, page.href.slice(NOWHERE.length), cookies)
}

/** Returns the path of the login page, which opens a path afterwards. */
export function loginPage(returnTo: string, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...more, ...(returnTo !== '/' && { next: returnTo }) })
  return query.size > 0 ? `${LOGIN_PAGE}?${query}` : LOGIN_PAGE
}

function toSsoRefused(error: unknown): SsoRefused | null {
  if (error instanceof SsoRefused) return error
  return error instanceof Refusal && error.kind === 'too_many' ? new SsoRefused('too_many', error) : null
}
