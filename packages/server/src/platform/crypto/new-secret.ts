import { randomBytes } from 'node:crypto'

export type SecretPrefix = 'sk_live_' | 'pat_' | 'scim_' | ''

/** A source of `count` unpredictable bytes. */
export type RandomBytes = (count: number) => Uint8Array

const SECRET_BYTES = 32
const PREVIEW_CHARS = 4
const ELLIPSIS = '…'

/** Creates a secret: the prefix and 256 random bits as 43 URL-safe characters. */
export function newSecret(prefix: SecretPrefix, random: RandomBytes = randomBytes): string {
  return prefix + Buffer.from(random(SECRET_BYTES)).toString('base64url')
}

/**
 * Returns the part of a stored secret that is shown: its prefix and four more characters, then an ellipsis.
 */
export function previewSecret(secret: string): string {
  const prefix = /^(sk_live_|pat_|scim_)/.exec(secret)?.[0] ?? ''
  const rest = secret.slice(prefix.length)
  // The preview of a short custom key must not reveal it.
  const visible = Math.min(PREVIEW_CHARS, Math.floor(rest.length / 4))
  return prefix + rest.slice(0, visible) + ELLIPSIS
}
