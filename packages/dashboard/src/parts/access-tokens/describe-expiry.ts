import { formatRelative } from '../../shared/ui/format-time.ts'

const DAY_MS = 24 * 3_600_000
const SOON_MS = 7 * DAY_MS

export interface Expiry {
  readonly kind: 'never' | 'later' | 'soon' | 'expired'
  readonly words: string
}

/** When a token stops working, for its row. `now` in milliseconds since the epoch. */
export function describeExpiry(expires_at: string | null, now: number): Expiry {
  if (expires_at === null) return { kind: 'never', words: 'Never expires' }
  const leftMs = Date.parse(expires_at) - now
  if (leftMs <= 0) return { kind: 'expired', words: `Expired ${formatRelative(expires_at, now)}` }
  // In days as they were chosen: the 90 days of a moment ago are no "2 months".
  const when = leftMs > DAY_MS ? `in ${Math.ceil(leftMs / DAY_MS)} days` : formatRelative(expires_at, now)
  return { kind: leftMs < SOON_MS ? 'soon' : 'later', words: `Expires ${when}` }
}
