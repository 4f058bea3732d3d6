import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import type { Config } from '../../platform/settings/config.ts'

/**
 * Limits the requests of a principal. Reports and other requests are counted separately (docs/settings.md).
 */
export interface RequestLimits {
  /**
   * Counts a request. Returns null, or, without counting, the whole seconds until the next request is
   * accepted.
   */
  take(actor: Actor, kind: RequestKind): number | null
}

type RequestKind = 'ingest' | 'other'

const WINDOW_MS = 60_000

/** Creates limits in the memory of this instance. Each principal's minute starts with its first request. */
export function createRequestLimits(
  { clock }: { readonly clock: Clock },
  { ingestPerMinute, requestsPerMinute }: Omit<Config['rateLimits'], 'unknownBearersPerMinute'>,
): RequestLimits {
  const windowOf = (limit: number | null): AttemptWindow | null =>
    limit === null ? null : createAttemptWindow({ clock }, { limit, windowMs: WINDOW_MS })
  const windows = { ingest: windowOf(ingestPerMinute), other: windowOf(requestsPerMinute) }
  return {
    take(actor, kind) {
      const window = windows[kind]
      if (!window) return null
      const principal = principalOf(actor)
      const retry_after_seconds = window.retryAfterSeconds(principal)
      if (retry_after_seconds === null) window.count(principal)
      return retry_after_seconds
    },
  }
}

/** Returns the principal. A user's sessions and tokens share one count. */
function principalOf(actor: Actor): string {
  return actor.kind === 'user' ? `user:${actor.user_id}` : `sdk_key:${actor.key_id ?? 'legacy'}`
}
