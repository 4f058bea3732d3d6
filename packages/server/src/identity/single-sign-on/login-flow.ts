import type { LoginSecrets } from '../oidc/index.ts'
import { createSealedCookie, type SealedCookie, type SealedCookieDeps } from './sealed-cookie.ts'

/** A login that has begun in a browser and goes on at the provider. */
export interface LoginFlow extends LoginSecrets {
  readonly purpose: 'login' | 'link' | 'reauthenticate'
  /** The session that the login is for; null for the purpose `login`. */
  readonly session: FlowSession | null
  /** The path to open afterwards. */
  readonly returnTo: string
  readonly startedAtMs: number
}

/** The session and the user of a login with another purpose. */
export interface FlowSession {
  readonly id: string
  readonly user_id: number
}

export type LoginFlows = SealedCookie<LoginFlow>

/**
 * Keeps logins in their browser, so that a callback that was meant for another one is refused. SameSite=Lax,
 * because the callback is a navigation that the provider's site began.
 */
export const createLoginFlows = (deps: SealedCookieDeps): LoginFlows =>
  createSealedCookie(deps, { name: 'lg_sso', path: '/api/auth/sso', sameSite: 'Lax' })
