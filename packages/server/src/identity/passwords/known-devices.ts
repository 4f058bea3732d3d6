import { parseCookie } from 'cookie'
import { setCookie } from '../../kernel/session-cookie.ts'
import { createTextSeal } from '../../platform/crypto/sealed-text.ts'

/**
 * A browser that has signed in to an account. Its wrong passwords for that account are counted separately.
 */
export interface KnownDevice {
  readonly deviceId: string
  readonly userId: number
  /** The user's `password_version` at that time: a new password makes the browser unknown. */
  readonly passwordVersion: number
}

export interface KnownDevices {
  /** Returns the content of a browser's cookie; empty when it is missing, forged or damaged. */
  read(cookieHeader: string | undefined): readonly KnownDevice[]
  /** Returns the Set-Cookie header that makes the browser known for the account, in addition to others. */
  remember(known: readonly KnownDevice[], account: Omit<KnownDevice, 'deviceId'>): string
}

const DEVICE_COOKIE = 'lg_device'
const DEVICE_COOKIE_PURPOSE = 'device cookie'
/** The longest time for which browsers keep a cookie, 400 days. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60
const ACCOUNTS_MAX = 4

interface Deps {
  readonly newId: () => string
  readonly sessionSecrets: readonly string[]
  readonly cookieSecure: boolean
}

export function createKnownDevices({ cookieSecure, newId, sessionSecrets }: Deps): KnownDevices {
  const seal = createTextSeal(sessionSecrets, DEVICE_COOKIE_PURPOSE)
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
        // The path of signing in and of changing the password, which count wrong passwords.
        path: '/api/auth',
        secure: cookieSecure,
      })
    },
  }
}

/** Parses the devices. Only this server, perhaps an older version, encrypts them. */
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
