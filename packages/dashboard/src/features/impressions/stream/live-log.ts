import type { Impression, ImpressionPage } from '@burgee/contract'

/** Rows that are kept: the newest. */
export const LOG_MAX = 1_000

/** The impressions that match the page's filters, as far as the page shows them. */
export interface LiveLog {
  /** The newest first. */
  readonly rows: readonly Impression[]
  /** The number of matches, shown or not. */
  readonly total: number
  /** The id after which the next read begins. */
  readonly last_id: number
  /** Rows with a greater id came with the latest response. */
  readonly freshAfter: number
  /** Impressions that came faster than they could be listed. */
  readonly missed: number
}

/** The log as it begins, with the newest impressions (which come newest first). */
export function startLog({ items, total }: ImpressionPage): LiveLog {
  const last_id = items[0]?.id ?? 0
  return { rows: items, total, last_id, freshAfter: last_id, missed: 0 }
}

/** The log with what came since. The `items` of a response to `since_id` come oldest first. */
export function continueLog(log: LiveLog, { items, total }: ImpressionPage): LiveLog {
  return addRows(log, [...items].reverse(), total, 0)
}

/**
 * The log with the newest impressions (newest first), after so many came that reading them all would never
 * catch up. The impressions between are counted, not listed.
 */
export function skipAhead(log: LiveLog, { items, total }: ImpressionPage): LiveLog {
  const fresh = items.filter(({ id }) => id > log.last_id)
  const missed = fresh.length === items.length ? Math.max(0, total - log.total - fresh.length) : 0
  return addRows(log, fresh, total, missed)
}

function addRows(log: LiveLog, fresh: readonly Impression[], total: number, missed: number): LiveLog {
  return {
    rows: fresh.length === 0 ? log.rows : [...fresh, ...log.rows].slice(0, LOG_MAX),
    total,
    last_id: fresh[0]?.id ?? log.last_id,
    freshAfter: log.last_id,
    missed: log.missed + missed,
  }
}
