/** The range that both JavaScript and PostgreSQL can write with four digits of a year. */
const EARLIEST = '0001-01-01T00:00:00.000Z'
const LATEST = '9999-12-31T23:59:59.999Z'

/**
 * Converts a validated RFC 3339 timestamp to ISO 8601 in UTC. A leap second, which neither JavaScript nor the
 * database has, becomes the following second (RFC 3339, section 5.6). Times that an offset moves outside the
 * years 1 to 9999 are clamped.
 */
export function toInstant(timestamp: string): string {
  const isLeap = LEAP_SECOND.test(timestamp)
  const plain = isLeap ? timestamp.replace(LEAP_SECOND, ':59') : timestamp
  const ms = Date.parse(plain.replace(' ', 'T').toUpperCase()) + (isLeap ? MS_PER_SECOND : 0)
  if (ms < Date.parse(EARLIEST)) return EARLIEST
  if (ms > Date.parse(LATEST)) return LATEST
  return new Date(ms).toISOString()
}

const LEAP_SECOND = /:60/
const MS_PER_SECOND = 1000
