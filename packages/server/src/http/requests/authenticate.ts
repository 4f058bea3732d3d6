import { parseCookie } from 'cookie'
import type { Actor } from '../../kernel/actor.ts'
import { unauthenticated } from '../../kernel/refusal.ts'
import { SESSION_COOKIE } from '../../kernel/session-cookie.ts'

/** The look-ups of credentials, each from its feature. Null means that the credential is unknown. */
export interface CredentialLookups {
  readonly findSession: (sealed: string, address: () => string) => Promise<Actor | null>
  readonly findSdkKey: (key: string, from: BearerOrigin) => Promise<Actor | null>
  readonly findAccessToken: (token: string, from: BearerOrigin) => Promise<Actor | null>
  /** Finds the SDK key for which a ticket of OFREP was issued. */
  readonly findTicket: (ticket: string) => Promise<Actor | null>
  /** Refuses unless the bearer token is the setup token and setup is not complete. */
  readonly admitSetup: (bearer: string | undefined, address: string) => Promise<void>
  /** Refuses unless the bearer token is METRICS_TOKEN, with `not_found` while that is unset. */
  readonly admitMetrics: (bearer: string | undefined) => void
}

interface BearerOrigin {
  readonly purpose: CredentialPurpose
  /** Returns the client's address. */
  readonly address: () => string
  /** Returns the network that rate limits count. */
  readonly network: () => string
}

/**
 * The purpose of a credential. Reading flags continues with known credentials while the database is
 * unavailable (docs/reference/access.md).
 */
type CredentialPurpose = 'read_flags' | 'anything'

export interface PresentedCredentials extends BearerOrigin {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** The value of `?sdk_key=`, on endpoints that accept it. */
  readonly sdk_key: string | undefined
  /** The header `X-API-Key`, on endpoints of OFREP. */
  readonly api_key: string | undefined
  /** The value of `?ticket=`, on the event stream of OFREP. */
  readonly ticket: string | undefined
}

const BEARER = /^Bearer +(\S+) *$/i

/** Returns the token of a bearer header; undefined for another scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]

const ACCESS_TOKEN_PREFIX = 'pat_'

/**
 * Authenticates a request. An Authorization header alone decides; otherwise `sdk_key` or `X-API-Key`, then a
 * ticket, then the session cookie (docs/reference/access.md).
 */
export async function authenticate(
  lookups: CredentialLookups,
  { address, authorization, network, purpose, ...others }: PresentedCredentials,
): Promise<Actor> {
  const origin = { purpose, address, network }
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
    const { api_key, cookie, sdk_key = api_key, ticket } = others
    if (sdk_key !== undefined) return lookups.findSdkKey(sdk_key, origin)
    if (ticket !== undefined) return lookups.findTicket(ticket)
    const sealed = cookie === undefined ? undefined : parseCookie(cookie)[SESSION_COOKIE]
    return sealed ? lookups.findSession(sealed, address) : null
  }
}
