import type { TextSeal } from '../../platform/crypto/sealed-text.ts'
import type { ProviderLogin } from '../oidc/index.ts'

/** The session at the provider behind a session here. */
export interface ProviderSession {
  readonly session_id: string
  readonly issuer: string
  readonly subject: string
  /** Null when the provider names none. */
  readonly sid: string | null
  /** The encrypted ID token, for a logout at the provider; null for one that is too long. */
  readonly id_token: string | null
}

/** A longer one could not be decrypted, and would be too long for an address as well. */
const ID_TOKEN_MAX_LENGTH = 2_800

/** Returns the session at the provider that a login there belongs to. */
export function toProviderSession(
  tokenSeal: TextSeal,
  session_id: string,
  { idToken, identity: { issuer, sid, subject } }: ProviderLogin,
): ProviderSession {
  const id_token = idToken.length <= ID_TOKEN_MAX_LENGTH ? tokenSeal.seal(idToken) : null
  return { session_id, issuer, subject, sid, id_token }
}
