import { parseCookie } from 'cookie'
import type { Clock } from '../../platform/clock.ts'
import type { TextSeal } from '../../platform/crypto/sealed-text.ts'
import { setCookie } from '../auth/index.ts'

/**
 * A person of the provider whose verified e-mail address is that of an account, which must confirm the link.
 */
export interface PendingLink {
  readonly issuer: string
  readonly subject: string
  readonly user_id: number
  /** The e-mail address of the account. */
  readonly email: string
  /** The path to open afterwards. */
  readonly returnTo: string
  readonly startedAtMs: number
}

export interface PendingLinks {
  /** Returns the Set-Cookie header that keeps the link in the browser. */
  keep(link: Omit<PendingLink, 'startedAtMs'>): string
  /** Returns the link of a browser; null when it has none, or it has waited too long. */
  read(cookieHeader: string | undefined): PendingLink | null
  /** Returns the Set-Cookie header that removes the link. */
  end(): string
}

const LINK_COOKIE = 'lg_sso_link'
const PATH = '/api/auth/sso/link'
const LIFETIME_SECONDS = 600

interface Deps {
  readonly clock: Clock
  readonly seal: TextSeal
  readonly cookieSecure: boolean
}

/** Keeps links that wait for a password in an encrypted cookie of their browser. */
export function createPendingLinks({ clock, cookieSecure, seal }: Deps): PendingLinks {
  const cookie = (value: string, maxAgeSeconds: number) =>
    setCookie(LINK_COOKIE, value, { maxAgeSeconds, path: PATH, secure: cookieSecure })
  return {
    keep: (link) =>
      cookie(seal.seal(JSON.stringify({ ...link, startedAtMs: clock.now().getTime() })), LIFETIME_SECONDS),
    read(cookieHeader) {
      const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[LINK_COOKIE]
      const text = sealed ? seal.open(sealed) : null
      if (text === null) return null
      // Only this server encrypts links.
      const link: PendingLink = JSON.parse(text)
      return clock.now().getTime() - link.startedAtMs <= LIFETIME_SECONDS * 1_000 ? link : null
    },
    end: () => cookie('', 0),
  }
}
