import { createHash } from 'node:crypto'

/** Longer ones are no address of an account and are counted by their hash, since an index holds no text of any length. */
const COUNTED_EMAIL_MAX_LENGTH = 320

/** What failed logins to an account are counted by: the lower-cased e-mail. */
export function accountKey(email: string): string {
  const lower = email.toLowerCase()
  if (lower.length <= COUNTED_EMAIL_MAX_LENGTH) return lower
  return `sha256:${createHash('sha256').update(lower).digest('hex')}`
}

/** What failed logins from a known browser are counted by. No e-mail gives such a key, because those are in lower case. */
export const deviceKey = (deviceId: string): string => `DEVICE:${deviceId}`
