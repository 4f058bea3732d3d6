export const SESSION_COOKIE = 'lg_session'

/**
 * Returns the Set-Cookie header that gives an encrypted session to a browser
 * (docs/reference/access.md#credentials).
 */
export const sessionCookie = (sealed: string, lives: Omit<Attributes, 'path'>): string =>
  setCookie(SESSION_COOKIE, sealed, { ...lives, path: '/' })

/** Returns the Set-Cookie header that removes the session from a browser. */
export const clearedSessionCookie = (secure: boolean): string =>
  setCookie(SESSION_COOKIE, '', { maxAgeSeconds: 0, path: '/', secure })

interface Attributes {
  readonly maxAgeSeconds: number
  readonly path: string
  readonly secure: boolean
  /** `Lax` for a cookie that a navigation from another site must bring along; `Strict` by default. */
  readonly sameSite?: 'Strict' | 'Lax'
}

/** Returns a Set-Cookie header for a cookie that scripts cannot read and other sites cannot send. */
export function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, path, sameSite = 'Strict', secure }: Attributes,
): string {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=${sameSite}`
  return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}
