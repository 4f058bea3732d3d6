const DAY_MS = 24 * 60 * 60_000

/** The last days as `2026-01-31`, UTC, today last. `now` is milliseconds since the epoch. */
export const lastDays = (days: number, now: number): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `31 Jan` */
export const formatDay = (day: string): string => dayFormat.format(Date.parse(day))
