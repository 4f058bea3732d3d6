import { totpCode, totpStep } from '../../src/identity/second-factors/totp.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Answer, As, TestServer } from './start-test-server.ts'

/** An account with an authenticator app. */
export interface EnrolledApp {
  readonly recoveryCodes: readonly string[]
  /** Returns the code of the current step, or of one beside it. */
  code(stepsAhead?: number): string
}

/** Adds an authenticator app to the caller's account. */
export async function enrolTotp(
  server: Pick<TestServer, 'call' | 'watchSecret'>,
  as: As,
  clock: Clock = systemClock,
): Promise<EnrolledApp> {
  const { body: started } = await server.call({ method: 'POST', path: '/api/auth/factors/totp', as })
  server.watchSecret(started.secret)
  const code = appOf(started.secret, clock)
  const confirmed = await server.call({
    path: '/api/auth/factors/totp/confirm',
    body: { code: code(-1) },
    as,
  })
  if (confirmed.status !== 200) throw new Error(`not enrolled: ${JSON.stringify(confirmed.body)}`)
  return { recoveryCodes: confirmed.body.recovery_codes, code }
}

/** Returns an authenticator app with a secret in base32. */
export function appOf(secret: string, clock: Clock = systemClock): EnrolledApp['code'] {
  const bytes = fromBase32(secret)
  return (stepsAhead = 0) => totpCode(bytes, totpStep(clock.now().getTime()) + stepsAhead)
}

/** Returns the value of a cookie that a response sets, as a Cookie header; empty when it sets none. */
export function cookieNamed(name: string, { headers }: Pick<Answer, 'headers'>): string {
  const found = headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found?.split(';')[0] ?? ''
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes base32 without padding, independently of the server's encoder. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
