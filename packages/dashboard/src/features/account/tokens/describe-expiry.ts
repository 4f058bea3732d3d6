import { showRelative } from '../../../shared/ui/show-time.ts'

const SOON_MS = 7 * 24 * 3_600_000

export interface Expiry {
  readonly kind: 'never' | 'later' | 'soon' | 'expired'
  readonly words: string
}

/** When a token stops working, for its row. `now` in milliseconds since the epoch. */
export function describeExpiry(expires_at: string | null, now: number): Expiry {
  if (expires_at === null) return { kind: 'never', words: 'Never expires' }
  const left_ms = Date.parse(expires_at) - now
  const when = showRelative(expires_at, now)
  if (left_ms <= 0) return { kind: 'expired', words: `Expired ${when}` }
  return { kind: left_ms < SOON_MS ? 'soon' : 'later', words: `Expires ${when}` }
}
