import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { RandomBytes } from './new-secret.ts'

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM and a 32-byte key. The result is `v1.` and base64url of nonce, ciphertext and
 * tag. It can be decrypted for the same `purpose` only.
 */
export function sealBytes(
  key: Uint8Array,
  purpose: string,
  bytes: Uint8Array,
  random: RandomBytes = randomBytes,
): string {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(associated(purpose))
  const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${sealed.toString('base64url')}`
}

/** Decrypts; null when the text is damaged, forged, or encrypted with another key or for another purpose. */
export function openBytes(key: Uint8Array, purpose: string, text: string): Buffer | null {
  const [version, encoded = '', ...rest] = text.split('.')
  const sealed = Buffer.from(encoded, 'base64url')
  // The last character of base64url has spare bits, and only the canonical encoding is accepted.
  const isCanonical = sealed.toString('base64url') === encoded
  if (version !== VERSION || rest.length > 0 || !isCanonical) return null
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(associated(purpose))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    // Only the check of the tag can fail here.
    return null
  }
}

const associated = (purpose: string): Buffer => Buffer.from(`burgee ${VERSION} ${purpose}`)
