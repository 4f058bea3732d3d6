import { parseCookie } from 'cookie'
import { setCookie } from '../../kernel/session-cookie.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TextSeal } from '../../platform/crypto/sealed-text.ts'

/** The time for what a browser does at the provider or on the page, a second factor included. */
export const LIFETIME_SECONDS = 600

/** A value that the server keeps in the browser that it belongs to. */
export interface SealedCookie<T extends Started> {
  /** Returns the Set-Cookie header that keeps the value. */
  keep(value: Omit<T, 'startedAtMs'>): string
  /** Returns the value of a browser; null when it has none, or one of too long ago. */
  read(cookieHeader: string | undefined): T | null
  /** Returns the Set-Cookie header that removes it. */
  end(): string
}

interface Started {
  readonly startedAtMs: number
}

export interface SealedCookieDeps {
  readonly clock: Clock
  readonly seal: TextSeal
  readonly cookieSecure: boolean
}

interface CookieForm {
  readonly name: string
  readonly path: string
  readonly sameSite?: 'Lax'
}

/** Keeps values encrypted in a cookie, which is refused from another browser. */
export function createSealedCookie<T extends Started>(
  { clock, cookieSecure, seal }: SealedCookieDeps,
  { name, ...form }: CookieForm,
): SealedCookie<T> {
  const cookie = (value: string, maxAgeSeconds: number) =>
    setCookie(name, value, { ...form, maxAgeSeconds, secure: cookieSecure })
  return {
    keep(value) {
      const text = JSON.stringify({ ...value, startedAtMs: clock.now().getTime() })
      return cookie(seal.seal(text), LIFETIME_SECONDS)
    },
    read(cookieHeader) {
      const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[name]
      const text = sealed ? seal.open(sealed) : null
      if (text === null) return null
      // Only this server encrypts such values.
      const kept: T = JSON.parse(text)
      const ageMs = clock.now().getTime() - kept.startedAtMs
      return ageMs <= LIFETIME_SECONDS * 1_000 ? kept : null
    },
    end: () => cookie('', 0),
  }
}
