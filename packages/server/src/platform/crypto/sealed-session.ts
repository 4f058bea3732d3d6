import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'

/** Seals session ids into cookie values with AES-256-GCM (docs/reference/access.md#credentials). */
export interface SessionSeal {
  /** A cookie value that carries the session id until `expires_at`. */
  seal(sessionId: string, expires_at: Date): Promise<string>
  /** The session id, or null for anything forged, damaged, foreign or expired. */
  open(sealed: string, now: Date): Promise<string | null>
}

const KEY_BYTES = 32
const KEY_SALT = 'burgee'
const KEY_PURPOSE = 'session cookie'
const HEADER = { alg: 'dir', enc: 'A256GCM' }
const MAX_SEALED_CHARS = 4_096

/** The first secret seals, every secret opens: that is how a secret is rotated. Throws when there is none. */
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
 * Whether this is the one spelling of its bytes. The last character of base64url text has bits to spare and decoders pass
 * over padding, so a cookie that was changed there would open all the same.
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
    // Every way in which it does not open means the same to the caller: no session.
    return null
  }
}
