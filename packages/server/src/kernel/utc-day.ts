const MS_PER_DAY = 86_400_000
const DATE_LENGTH = 10

/** The UTC day, counted from 1970-01-01. */
export const dayOf = (ms: number): number => Math.floor(ms / MS_PER_DAY)

/** A day as `2026-01-31`. */
export const dayText = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, DATE_LENGTH)

/** The day after `2026-01-31`, in the same form. */
export const dayAfter = (day: string): string => dayText(dayOf(Date.parse(day)) + 1)
