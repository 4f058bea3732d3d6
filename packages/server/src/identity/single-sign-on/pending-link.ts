import { createSealedCookie, type SealedCookie, type SealedCookieDeps } from './sealed-cookie.ts'

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

export type PendingLinks = SealedCookie<PendingLink>

/** Keeps links that wait for a password in their browser. */
export const createPendingLinks = (deps: SealedCookieDeps): PendingLinks =>
  createSealedCookie(deps, { name: 'lg_sso_link', path: '/api/auth/sso/link' })
