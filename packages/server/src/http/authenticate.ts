import { parseCookie } from 'cookie'
import { SESSION_COOKIE } from '../features/auth/index.ts'
import type { Actor } from '../kernel/actor.ts'
import { unauthenticated } from '../kernel/refusal.ts'

/** Who a credential belongs to, or null. Each feature's door gives its own. */
export interface CredentialLookups {
  readonly findSession: (sealed: string) => Promise<Actor | null>
  readonly findSdkKey: (key: string, from: BearerOrigin) => Promise<Actor | null>
  readonly findAccessToken: (token: string, from: BearerOrigin) => Promise<Actor | null>
  /** Throws unless the bearer is the set-up token, or set-up is complete already. */
  readonly admitSetup: (bearer: string | undefined, address: string) => Promise<void>
  /** Throws unless the bearer is METRICS_TOKEN; `not_found` while that is unset. */
  readonly admitMetrics: (bearer: string | undefined) => void
}

export interface BearerOrigin {
  readonly purpose: CredentialPurpose
  /** The address that limits count. */
  readonly network: () => string
}

/** Reading flags goes on with known credentials while the database is away (docs/reference/access.md). */
type CredentialPurpose = 'read_flags' | 'anything'

export interface PresentedCredentials extends BearerOrigin {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** `?sdk_key=`, where the endpoint takes it. */
  readonly sdk_key: string | undefined
}

const BEARER = /^Bearer +(\S+) *$/i

/** The secret of a bearer header; undefined for another scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]

const ACCESS_TOKEN_PREFIX = 'pat_'

/** An Authorization header decides alone; then `sdk_key`; then the session cookie (docs/reference/access.md). */
export async function authenticate(
  lookups: CredentialLookups,
  { authorization, cookie, network, purpose, sdk_key }: PresentedCredentials,
): Promise<Actor> {
  const origin = { purpose, network }
  const actor = await find()
  if (!actor) throw unauthenticated('Sign in, or send a valid SDK key or personal access token.')
  return actor

  async function find(): Promise<Actor | null> {
    if (authorization !== undefined) {
      const secret = bearerOf(authorization)
      if (secret === undefined) return null
      return secret.startsWith(ACCESS_TOKEN_PREFIX)
        ? lookups.findAccessToken(secret, origin)
        : lookups.findSdkKey(secret, origin)
    }
    if (sdk_key !== undefined) return lookups.findSdkKey(sdk_key, origin)
    const sealed = cookie === undefined ? undefined : parseCookie(cookie)[SESSION_COOKIE]
    return sealed ? lookups.findSession(sealed) : null
  }
}
