import { hkdfSync } from 'node:crypto'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'

const TOKEN_BYTES = 32
const TOKEN_PURPOSE = 'set-up token'

/**
 * Derives the generated setup token: a random seed in the database, mixed with the session secret, which is
 * not. So the database alone reveals only the token's hash, and every instance, also after a restart, derives
 * the same token.
 */
export function deriveSetupToken(seed: string, sessionSecret: string): string {
  return Buffer.from(hkdfSync('sha256', sessionSecret, seed, TOKEN_PURPOSE, TOKEN_BYTES)).toString(
    'base64url',
  )
}

interface StoredSetupToken {
  readonly setup_token_hash: string | null
  /** The seed; null when the token was not generated but set. */
  readonly setup_token_seed: string | null
}

/**
 * Derives the stored token again; null when none of the secrets gives it (it was set by hand, or with other
 * secrets).
 */
export function recoverSetupToken(
  stored: StoredSetupToken,
  sessionSecrets: readonly string[],
): string | null {
  const { setup_token_hash, setup_token_seed } = stored
  if (setup_token_seed === null) return null
  const tokens = sessionSecrets.map((secret) => deriveSetupToken(setup_token_seed, secret))
  return tokens.find((token) => hashSecret(token) === setup_token_hash) ?? null
}
