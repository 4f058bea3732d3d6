const two = (number: number): string => String(number).padStart(2, '0')

/** A day of the reader's calendar as `2026-08-01`; also the key by which changes are found. */
export const dayOf = (moment: Date): string =>
  `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`

/** The month of a day, `2026-08`. */
export const monthOf = (moment: Date): string => dayOf(moment).slice(0, 7)

/** The month that many months later; `from` where `month` is none. */
export function addMonths(month: string, count: number): string {
  const first = firstDay(month)
  return monthOf(new Date(first.getFullYear(), first.getMonth() + count, 1))
}

export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

export const formatMonth = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(firstDay(month))

export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }).format(
    new Date(`${day}T12:00:00`),
  )

const DAYS = 7

/** The weeks that a month touches, Monday first, each of seven days: `2026-08-01`. */
export function weeksOf(month: string): readonly (readonly string[])[] {
  const first = firstDay(month)
  const [year, index] = [first.getFullYear(), first.getMonth()]
  const lead = (first.getDay() + DAYS - 1) % DAYS
  const length = new Date(year, index + 1, 0).getDate()
  const weeks = Math.ceil((lead + length) / DAYS)
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: DAYS }, (_day, day) => dayOf(new Date(year, index, week * DAYS + day - lead + 1))),
  )
}

const firstDay = (month: string): Date => new Date(`${month}-01T12:00:00`)
