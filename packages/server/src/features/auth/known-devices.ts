import { parseCookie } from 'cookie'
import type { TextSeal } from '../../platform/crypto/sealed-text.ts'
import { setCookie } from './session-cookie.ts'

/** A browser that has signed in to an account. Its wrong guesses at that account's password are counted separately. */
export interface KnownDevice {
  readonly deviceId: string
  readonly userId: number
  /** The user's `password_version` then: a new password makes the browser unknown. */
  readonly passwordVersion: number
}

export interface KnownDevices {
  /** What the cookie of a browser says; nothing when it is missing, forged or damaged. */
  read(cookieHeader: string | undefined): readonly KnownDevice[]
  /** The Set-Cookie header that makes the browser known for the account, beside the accounts it was known for. */
  remember(known: readonly KnownDevice[], account: Omit<KnownDevice, 'deviceId'>): string
}

const DEVICE_COOKIE = 'lg_device'
export const DEVICE_COOKIE_PURPOSE = 'device cookie'
/** Browsers keep no cookie for longer than 400 days. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60
const ACCOUNTS_MAX = 4

interface Deps {
  readonly newId: () => string
  readonly seal: TextSeal
  readonly cookieSecure: boolean
}

export function createKnownDevices({ cookieSecure, newId, seal }: Deps): KnownDevices {
  return {
    read(cookieHeader) {
      const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[DEVICE_COOKIE]
      const text = sealed ? seal.open(sealed) : null
      return text === null ? [] : parseDevices(text)
    },
    remember(known, { passwordVersion, userId }) {
      const before = known.find((device) => device.userId === userId)
      const device = { deviceId: before?.deviceId ?? newId(), userId, passwordVersion }
      const others = known.filter((device) => device.userId !== userId)
      const kept = [device, ...others].slice(0, ACCOUNTS_MAX)
      const text = JSON.stringify(kept.map((one) => [one.deviceId, one.userId, one.passwordVersion]))
      return setCookie(DEVICE_COOKIE, seal.seal(text), {
        maxAgeSeconds: LIFETIME_SECONDS,
        // Logging in and changing the password count wrong guesses.
        path: '/api/auth',
        secure: cookieSecure,
      })
    },
  }
}

/** Only this server seals these, perhaps an older version of it. */
function parseDevices(text: string): KnownDevice[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    const [deviceId, userId, passwordVersion]: unknown[] = Array.isArray(entry) ? entry : []
    const isDevice =
      typeof deviceId === 'string' && typeof userId === 'number' && typeof passwordVersion === 'number'
    return isDevice ? [{ deviceId, userId, passwordVersion }] : []
  })
}
