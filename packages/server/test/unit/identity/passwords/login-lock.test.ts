import { describe, expect, test } from 'vitest'
import { accountKey, deviceKey } from '../../../../src/identity/passwords/index.ts'
import { attemptsRemaining, lockSecondsLeft } from '../../../../src/identity/passwords/login-lock.ts'

describe('the remaining attempts after failures', () => {
  test.each([
    [1, 4],
    [2, 3],
    [3, 2],
    [4, 1],
    [5, 0],
    [6, 0],
  ])('after %i failures %i attempts remain', (failures, remaining) => {
    expect(attemptsRemaining(failures)).toBe(remaining)
  })
})

describe('retry_after_seconds of a locked login', () => {
  const now = new Date('2026-01-05T10:00:00.000Z')
  test.each([
    ['2026-01-05T10:15:00.000Z', 900],
    ['2026-01-05T10:15:00.050Z', 900],
    ['2026-01-05T10:14:59.999Z', 900],
    ['2026-01-05T10:14:00.001Z', 900],
    ['2026-01-05T10:14:00.000Z', 840],
    ['2026-01-05T10:01:00.000Z', 60],
    ['2026-01-05T10:00:00.001Z', 60],
  ])('a lock until %s gives retry_after_seconds %i', (locked_until, seconds) => {
    expect(lockSecondsLeft(locked_until, now)).toBe(seconds)
  })
})

describe('the key that counts failed logins', () => {
  test('the key of an account ignores case', () => {
    expect(accountKey('Ann@Example.COM')).toBe(accountKey('ann@example.com'))
  })

  test('the key of a known browser equals that of no e-mail', () => {
    expect(accountKey(deviceKey('id'))).not.toBe(deviceKey('id'))
  })

  test('texts too long for an account have separate keys of bounded length', () => {
    const long = 'a'.repeat(100_000)

    expect(accountKey(long).length).toBeLessThan(100)
    expect(accountKey(long)).toBe(accountKey(long.toUpperCase()))
    expect(accountKey(long)).not.toBe(accountKey(`${long}b`))
  })
})
