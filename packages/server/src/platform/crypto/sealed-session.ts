import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'

/** Encrypts session ids into cookie values with AES-256-GCM (docs/reference/access.md#credentials). */
export interface SessionSeal {
  /** Creates a cookie value with the session id, valid until `expires_at`. */
  seal(sessionId: string, expires_at: Date): Promise<string>
  /** Returns the session id; null when the cookie is forged, damaged, foreign or expired. */
  open(sealed: string, now: Date): Promise<string | null>
}

const KEY_BYTES = 32
const KEY_SALT = 'burgee'
const KEY_PURPOSE = 'session cookie'
const HEADER = { alg: 'dir', enc: 'A256GCM' }
const MAX_SEALED_CHARS = 4_096

/**
 * Creates the seal. The first secret encrypts and every secret decrypts, so secrets can be rotated. Throws
 * when there is none.
 */
export function createSessionSeal(secrets: readonly string[]): SessionSeal {
  const keys = secrets.map(deriveKey)
  const [sealingKey] = keys
  if (sealingKey === undefined) throw new Error('a session seal needs at least one secret')
  return {
    seal: (sessionId, expires_at) =>
      new EncryptJWT({ sid: sessionId })
        .setProtectedHeader(HEADER)
        .setExpirationTime(Math.floor(expires_at.getTime() / 1_000))
        .encrypt(sealingKey),
    open: async (sealed, now) => {
      if (sealed.length > MAX_SEALED_CHARS || !isCanonical(sealed)) return null
      for (const key of keys) {
        const sessionId = await openWith(key, sealed, now)
        if (sessionId !== null) return sessionId
      }
      return null
    },
  }
}

/**
 * Returns whether this is the canonical encoding of its bytes. The last character of base64url has spare bits
 * and decoders ignore padding, so a changed cookie could otherwise be accepted.
 */
function isCanonical(sealed: string): boolean {
  return sealed.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, KEY_SALT, KEY_PURPOSE, KEY_BYTES))
}

async function openWith(key: Uint8Array, sealed: string, now: Date): Promise<string | null> {
  try {
    const { payload } = await jwtDecrypt(sealed, key, {
      currentDate: now,
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
      requiredClaims: ['exp', 'sid'],
    })
    return typeof payload.sid === 'string' ? payload.sid : null
  } catch {
    // Every failure means the same for the caller: no session.
    return null
  }
}
