import { parseJsonNumber } from './json-number.ts'

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)[t ]((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(?:\.(\d{1,3})\d*)?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/**
 * Returns the milliseconds since 1970 of a time by RFC 3339 or of a JSON number, NaN for anything else. A
 * second 60 is the next second; digits beyond milliseconds are cut.
 */
export function parseTime(text: unknown): number {
  const parts = RFC3339.exec(String(text))
  if (!parts) return parseJsonNumber(text)
  const [, day = '', minute = '', second, fraction = '', offset = ''] = parts
  // The engine takes the 31st of a shorter month for a day of the next one.
  if (new Date(day).getUTCDate() !== Number(day.slice(-2))) return Number.NaN
  const start = Date.parse(`${day}T${minute}00${offset.toUpperCase()}`)
  return start + Number(second) * 1000 + Number(fraction.padEnd(3, '0'))
}
