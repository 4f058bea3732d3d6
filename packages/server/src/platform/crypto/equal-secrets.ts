import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Returns whether two secrets are equal, in a time that does not depend on where they differ or how long they
 * are.
 */
export function equalSecrets(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest()
  return timingSafeEqual(digest(left), digest(right))
}
