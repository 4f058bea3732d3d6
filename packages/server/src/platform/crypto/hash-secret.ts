import { hash } from 'node:crypto'

/** SHA-256 of a key or token as 64 hex digits. Only for secrets of high entropy; passwords go through `createPasswordHasher`. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
