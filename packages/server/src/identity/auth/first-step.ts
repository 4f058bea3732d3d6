import { LOGIN_STEP_MS } from '@burgee/contract'
import { parseCookie } from 'cookie'
import { setCookie } from '../../kernel/session-cookie.ts'
import type { Clock } from '../../platform/clock.ts'
import { createTextSeal } from '../../platform/crypto/sealed-text.ts'

/** The account whose password a browser has just proven, without a session yet. */
export interface FirstStep {
  readonly userId: number
  /** The user's `password_version` at that time: a new password ends the step. */
  readonly passwordVersion: number
}

/** The cookie between the password and the second factor of a login. */
export interface FirstSteps {
  /** Returns the Set-Cookie header that lets the browser go on. */
  issue(step: FirstStep): string
  /** Returns the step of a browser; null when its cookie is missing, forged, damaged or expired. */
  read(cookieHeader: string | undefined): FirstStep | null
  /** Returns the Set-Cookie header that ends the step. */
  clear(): string
}

const STEP_COOKIE = 'lg_login'
const STEP_COOKIE_PURPOSE = 'first step of a login'

interface Deps {
  readonly clock: Clock
  readonly sessionSecrets: readonly string[]
  readonly cookieSecure: boolean
}

export function createFirstSteps({ clock, cookieSecure, sessionSecrets }: Deps): FirstSteps {
  const seal = createTextSeal(sessionSecrets, STEP_COOKIE_PURPOSE)
  const toCookie = (value: string, maxAgeSeconds: number) =>
    setCookie(STEP_COOKIE, value, { maxAgeSeconds, path: '/api/auth', secure: cookieSecure })
  return {
    issue({ passwordVersion, userId }) {
      const endsAtMs = clock.now().getTime() + LOGIN_STEP_MS
      return toCookie(seal.seal(JSON.stringify([userId, passwordVersion, endsAtMs])), LOGIN_STEP_MS / 1_000)
    },
    read(cookieHeader) {
      const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[STEP_COOKIE]
      const text = sealed ? seal.open(sealed) : null
      return text === null ? null : parseStep(text, clock.now().getTime())
    },
    clear: () => toCookie('', 0),
  }
}

function parseStep(text: string, nowMs: number): FirstStep | null {
  const parts: unknown = JSON.parse(text)
  const [userId, passwordVersion, endsAtMs]: unknown[] = Array.isArray(parts) ? parts : []
  const isStep =
    typeof userId === 'number' && typeof passwordVersion === 'number' && typeof endsAtMs === 'number'
  return isStep && nowMs < endsAtMs ? { userId, passwordVersion } : null
}
