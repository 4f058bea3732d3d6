import { createHash } from 'node:crypto'

/**
 * The length of an account's address. Longer ones are counted by their hash, because an index cannot contain
 * a text of any length.
 */
const COUNTED_EMAIL_MAX_LENGTH = 320

/** Returns the key that counts failed logins to an account: the lower-cased e-mail. */
export function accountKey(email: string): string {
  const lower = email.toLowerCase()
  if (lower.length <= COUNTED_EMAIL_MAX_LENGTH) return lower
  return `sha256:${createHash('sha256').update(lower).digest('hex')}`
}

/**
 * Returns the key that counts failed logins from a known browser. It differs from that of any e-mail, which
 * is in lower case.
 */
export const deviceKey = (deviceId: string): string => `DEVICE:${deviceId}`

/**
 * Returns the key that counts wrong second factors of a user, or of one of their known browsers. It differs
 * from that of any password.
 */
export const factorKey = (of: string | number): string => `FACTOR:${of}`
