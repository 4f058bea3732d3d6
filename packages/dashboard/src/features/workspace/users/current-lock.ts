import type { User } from '@burgee/contract'

/**
 * The time until which failed logins keep the user out; null if none do. The list may be older than the
 * lock's end.
 */
export const currentLock = ({ locked_until }: User): string | null =>
  locked_until !== null && Date.parse(locked_until) > Date.now() ? locked_until : null
