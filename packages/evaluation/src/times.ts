import { parseJsonNumber } from './json-number.ts'

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i
const MS_PER_MINUTE = 60_000

/**
 * Returns the milliseconds since 1970 of a time by RFC 3339 or of a JSON number, NaN for anything else. A
 * second 60 is the next second; digits beyond milliseconds are cut.
 */
export function parseTime(text: unknown): number {
  const parts = RFC3339.exec(String(text))
  if (!parts) return parseJsonNumber(text)
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [, , , , , , , fraction = '', sign, offsetHours = 0, offsetMinutes = 0] = parts
  const date = new Date(0)
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return Number.NaN
  const minutes =
    hour * 60 + minute - Number(`${sign ?? ''}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes))
  return (
    date.getTime() + minutes * MS_PER_MINUTE + second * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  )
}
