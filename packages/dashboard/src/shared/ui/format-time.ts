const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3_600_000],
  ['month', 30 * 24 * 3_600_000],
  ['day', 24 * 3_600_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const instant = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/**
 * Formats a time as `3 minutes ago`, `in 2 days` or `just now`. `at` is an ISO-8601 timestamp, `now`
 * milliseconds since the epoch.
 */
export function formatRelative(at: string, now: number): string {
  const distanceMs = Date.parse(at) - now
  const unit = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms)
  if (!unit) return 'just now'
  return relative.format(Math.trunc(distanceMs / unit[1]), unit[0])
}

/** Date and time in the reader's own time zone, to the second. */
export const formatInstant = (at: string): string => instant.format(Date.parse(at))
