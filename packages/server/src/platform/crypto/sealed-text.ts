import { hkdfSync } from 'node:crypto'
import { openBytes, sealBytes } from './sealed-bytes.ts'

/** Encrypts texts for one purpose with the secrets of the installation. */
export interface TextSeal {
  seal(text: string): string
  /** Decrypts; null when the text is forged, damaged, or encrypted for another purpose. */
  open(sealed: string): string | null
}

const KEY_BYTES = 32
const KEY_SALT = 'burgee'
const SEALED_MAX_CHARS = 4_096

/**
 * Creates the seal. The first secret encrypts and every secret decrypts, so secrets can be rotated. Throws
 * when there is none.
 */
export function createTextSeal(secrets: readonly string[], purpose: string): TextSeal {
  const keys = secrets.map(
    (secret) => new Uint8Array(hkdfSync('sha256', secret, KEY_SALT, purpose, KEY_BYTES)),
  )
  const [sealingKey] = keys
  if (sealingKey === undefined) throw new Error('a seal needs at least one secret')
  return {
    seal: (text) => sealBytes(sealingKey, purpose, Buffer.from(text)),
    open(sealed) {
      if (sealed.length > SEALED_MAX_CHARS) return null
      for (const key of keys) {
        const opened = openBytes(key, purpose, sealed)
        if (opened) return opened.toString()
      }
      return null
    },
  }
}
