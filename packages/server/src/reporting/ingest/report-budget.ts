import { type Actor, actorIdentity, isClientKey } from '../../kernel/actor.ts'
import { tooMany } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'

/** Limits the reports of a client key in a minute, for this instance. */
export interface ReportBudget {
  /**
   * Counts the reports of a client key. Refuses with `too_many` when they exceed its minute, and counts none
   * of them.
   */
  spend(actor: Actor, reports: number): void
}

const WINDOW_MS = 60_000

/**
 * Creates the budget. A `perMinute` of null means no limit. A batch larger than a minute's budget is accepted
 * as the first of its minute.
 */
export function createReportBudget(
  { clock }: { readonly clock: Clock },
  { perMinute }: { readonly perMinute: number | null },
): ReportBudget {
  if (perMinute === null) return { spend: () => undefined }
  const window = createAttemptWindow({ clock }, { limit: perMinute, windowMs: WINDOW_MS })
  return {
    spend(actor, reports) {
      if (!isClientKey(actor) || reports === 0) return
      const key = actorIdentity(actor)
      const left = window.left(key)
      if (reports > left && left < perMinute) {
        const message = `This client key has sent its ${perMinute} reports of this minute. Send these again later, or raise CLIENT_REPORTS_PER_MINUTE.`
        throw tooMany(message, window.retryAfterSeconds(key, reports) ?? 1)
      }
      window.count(key, reports)
    },
  }
}
