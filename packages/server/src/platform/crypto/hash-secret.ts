import { hash } from 'node:crypto'

/**
 * Returns the SHA-256 of a key or token as 64 hex digits. It is only for secrets of high entropy; passwords
 * use `createPasswordHasher`.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
