import { describe, expect, it } from 'vitest'
import { toInstant } from '../../../src/kernel/instant.ts'

describe('an RFC 3339 timestamp becomes ISO-8601 UTC', () => {
  it.each([
    ['with Z', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['with small letters', '2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['with a blank between date and time', '2026-03-01 12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['with an offset east', '2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['with an offset west', '2026-02-28T23:30:00-01:00', '2026-03-01T00:30:00.000Z'],
    ['with the unknown offset', '2026-03-01T12:00:00-00:00', '2026-03-01T12:00:00.000Z'],
    ['with milliseconds', '2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
    ['with more digits than milliseconds have', '2026-03-01T12:00:00.123999Z', '2026-03-01T12:00:00.123Z'],
    ['of 29 February', '2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
  ])('a timestamp %s is converted to UTC', (_case, given, instant) => {
    expect(toInstant(given)).toBe(instant)
  })
})

describe('a leap second becomes the second after it', () => {
  it.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.250Z', '2017-01-01T00:00:00.250Z'],
    ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00.000Z'],
  ])('a leap second is converted: %s', (given, instant) => {
    expect(toInstant(given)).toBe(instant)
  })
})

describe('times that an offset moves beyond the supported years', () => {
  it.each([
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:60Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00+01:00', '0001-01-01T00:00:00.000Z'],
    ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('a time beyond the supported years is clamped: %s', (given, instant) => {
    expect(toInstant(given)).toBe(instant)
  })
})
