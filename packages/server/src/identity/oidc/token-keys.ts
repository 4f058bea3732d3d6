import { isObject } from '@burgee/contract'
import { compactVerify, createRemoteJWKSet, customFetch, errors, type JWTPayload } from 'jose'
import type { BoundedFetch } from './bounded-fetch.ts'
import { SsoRefused } from './sso-refused.ts'

/** Signatures of the provider that only its private keys can make. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** The age at which keys are fetched again. */
const KEYS_MAX_AGE_MS = 10 * 60_000
/** The time between two fetches for keys that were unknown. Anyone can send a token with an unknown key. */
const COOLDOWN_MS = 10_000

/** The keys with which the provider signs its tokens. */
export interface TokenKeys {
  /** Returns the content of a token; throws when its signature is not that of the provider. */
  verify(token: string, trust: { readonly isFromProvider: boolean }): Promise<JWTPayload>
}

/**
 * Creates the keys of one address, which are fetched when they are needed. A key that is unknown is looked
 * for in the provider's present list. For a token that came from the provider itself this happens at once, so
 * that the first login after a rotation succeeds.
 */
export function createTokenKeys(
  jwksUri: string,
  { fetch, timeoutMs }: { readonly fetch: BoundedFetch; readonly timeoutMs: number },
): TokenKeys {
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: fetch,
  })
  const check = async (token: string): Promise<JWTPayload> => {
    const { payload } = await compactVerify(token, keys, { algorithms: ALGORITHMS })
    const content: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    if (!isObject(content)) throw new SyntaxError('the token has no claims')
    return content
  }
  return {
    async verify(token, { isFromProvider }) {
      try {
        return await check(token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !isFromProvider) throw toRefusal(error)
      }
      await keys.reload().catch((error: unknown) => {
        throw toRefusal(error)
      })
      return check(token).catch((error: unknown) => {
        throw toRefusal(error)
      })
    },
  }
}

/** The errors of a token itself. Others come from fetching the keys. */
const TOKEN_ERRORS = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JWSSignatureVerificationFailed,
  errors.JWSInvalid,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  SyntaxError,
]

const toRefusal = (error: unknown): SsoRefused =>
  TOKEN_ERRORS.some((kind) => error instanceof kind)
    ? new SsoRefused('invalid_response', error)
    : new SsoRefused('provider_unavailable', error)
