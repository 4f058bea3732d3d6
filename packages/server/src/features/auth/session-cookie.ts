import { SESSION_LIFETIME_MS } from '@burgee/contract'

export const SESSION_COOKIE = 'lg_session'

/** The Set-Cookie header that hands a sealed session to a browser (specification, "Authentication"). */
export const sessionCookie = (sealed: string, secure: boolean): string =>
  setCookie(sealed, SESSION_LIFETIME_MS / 1000, secure)

/** The Set-Cookie header that makes a browser forget its session. */
export const clearedSessionCookie = (secure: boolean): string => setCookie('', 0, secure)

function setCookie(value: string, max_age_seconds: number, secure: boolean): string {
  const attributes = `Max-Age=${max_age_seconds}; Path=/; HttpOnly; SameSite=Strict`
  return `${SESSION_COOKIE}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}
