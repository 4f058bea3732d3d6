const two = (number: number): string => String(number).padStart(2, '0')

/** A moment in the browser's time zone as the date field writes it: `2026-08-01 09:30:00`. */
export function toLocalText(moment: Date): string {
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}:00`
}

/** The field's text as a moment; null where it is none. */
export function fromLocalText(text: string | null): Date | null {
  if (text === null) return null
  const moment = new Date(text.replace(' ', 'T'))
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** `2026-08-01 07:30 UTC`. */
export const formatUtc = (moment: Date): string =>
  `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const MORNING_HOUR = 9
const HOUR_MS = 3_600_000
const MONDAY = 1

/** Moments that people mean most often, after `now`. */
export function usualMoments(now: Date): readonly { readonly label: string; readonly moment: Date }[] {
  const daysToMonday = (MONDAY - now.getDay() + 7) % 7 || 7
  return [
    { label: 'In an hour', moment: new Date(now.getTime() + HOUR_MS) },
    { label: 'Tomorrow at 09:00', moment: morningIn(now, 1) },
    // On a Sunday that is tomorrow.
    ...(daysToMonday === 1 ? [] : [{ label: 'Monday at 09:00', moment: morningIn(now, daysToMonday) }]),
  ]
}

const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR)
