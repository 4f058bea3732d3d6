import { SESSION_LIFETIME_MS } from '@burgee/contract'

export const SESSION_COOKIE = 'lg_session'

/** The Set-Cookie header that hands a sealed session to a browser (docs/reference/access.md#credentials). */
export const sessionCookie = (sealed: string, secure: boolean): string =>
  setCookie(SESSION_COOKIE, sealed, { maxAgeSeconds: SESSION_LIFETIME_MS / 1000, path: '/', secure })

/** The Set-Cookie header that makes a browser forget its session. */
export const clearedSessionCookie = (secure: boolean): string =>
  setCookie(SESSION_COOKIE, '', { maxAgeSeconds: 0, path: '/', secure })

interface Attributes {
  readonly maxAgeSeconds: number
  readonly path: string
  readonly secure: boolean
}

/** A Set-Cookie header for a cookie that no script reads and no other site sends. */
export function setCookie(name: string, value: string, { maxAgeSeconds, path, secure }: Attributes): string {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Strict`
  return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}
