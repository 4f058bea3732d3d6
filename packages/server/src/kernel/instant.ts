/** What both JavaScript and PostgreSQL can write in four digits of a year. */
const EARLIEST = '0001-01-01T00:00:00.000Z'
const LATEST = '9999-12-31T23:59:59.999Z'

/**
 * An RFC 3339 timestamp that a schema has let through, as ISO-8601 UTC. A leap second, which neither JavaScript nor the
 * database has, becomes the second after it (RFC 3339, section 5.6); what an offset moves beyond the years 1 to 9999 is
 * held at the bound.
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
