import { parseCookie } from 'cookie'
import type { Clock } from '../../platform/clock.ts'
import type { TextSeal } from '../../platform/crypto/sealed-text.ts'
import { setCookie } from '../auth/index.ts'
import type { LoginSecrets } from './identity-provider.ts'

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

export interface LoginFlows {
  /** Returns the Set-Cookie header that binds the login to the browser. */
  begin(flow: Omit<LoginFlow, 'startedAtMs'>): string
  /** Returns the login of a browser; null when it has none, or it began too long ago. */
  read(cookieHeader: string | undefined): LoginFlow | null
  /** Returns the Set-Cookie header that ends the login. */
  end(): string
}

const FLOW_COOKIE = 'lg_sso'
const PATH = '/api/auth/sso'
/** The time for a login at the provider, a second factor included. */
const LIFETIME_SECONDS = 600

interface Deps {
  readonly clock: Clock
  readonly seal: TextSeal
  readonly cookieSecure: boolean
}

/**
 * Keeps logins in an encrypted cookie of their browser, so that a callback that was meant for another browser
 * is refused. SameSite=Lax, because the callback is a navigation that the provider's site began.
 */
export function createLoginFlows({ clock, cookieSecure, seal }: Deps): LoginFlows {
  const cookie = (value: string, maxAgeSeconds: number) =>
    setCookie(FLOW_COOKIE, value, { maxAgeSeconds, path: PATH, secure: cookieSecure, sameSite: 'Lax' })
  return {
    begin(flow) {
      const text = JSON.stringify({ ...flow, startedAtMs: clock.now().getTime() })
      return cookie(seal.seal(text), LIFETIME_SECONDS)
    },
    read(cookieHeader) {
      const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[FLOW_COOKIE]
      const text = sealed ? seal.open(sealed) : null
      if (text === null) return null
      // Only this server encrypts flows.
      const flow: LoginFlow = JSON.parse(text)
      const ageMs = clock.now().getTime() - flow.startedAtMs
      return ageMs <= LIFETIME_SECONDS * 1_000 ? flow : null
    },
    end: () => cookie('', 0),
  }
}
