import { describe, expect, test } from 'vitest'
import { attemptsRemaining, lockSecondsLeft } from '../../../../src/features/auth/login-lock.ts'
import { accountKey, deviceKey } from '../../../../src/features/users/index.ts'

describe('failures 1 to 5 leave 4, 3, 2, 1 and 0 attempts', () => {
  test.each([
    [1, 4],
    [2, 3],
    [3, 2],
    [4, 1],
    [5, 0],
    [6, 0],
  ])('after %i failures %i remain', (failures, remaining) => {
    expect(attemptsRemaining(failures)).toBe(remaining)
  })
})

describe('retry_after_seconds is the remainder of the lock rounded up to a full minute', () => {
  const now = new Date('2026-01-05T10:00:00.000Z')
  test.each([
    ['2026-01-05T10:15:00.000Z', 900],
    ['2026-01-05T10:15:00.050Z', 900],
    ['2026-01-05T10:14:59.999Z', 900],
    ['2026-01-05T10:14:00.001Z', 900],
    ['2026-01-05T10:14:00.000Z', 840],
    ['2026-01-05T10:01:00.000Z', 60],
    ['2026-01-05T10:00:00.001Z', 60],
  ])('locked until %s: %i', (locked_until, seconds) => {
    expect(lockSecondsLeft(locked_until, now)).toBe(seconds)
  })
})

describe('failures are counted per lower-cased e-mail', () => {
  test('case makes no difference', () => {
    expect(accountKey('Ann@Example.COM')).toBe(accountKey('ann@example.com'))
  })

  test('no e-mail gives the key of a known browser', () => {
    expect(accountKey(deviceKey('id'))).not.toBe(deviceKey('id'))
  })

  test('texts too long for an account are counted apart, under a key of bounded length', () => {
    const long = 'a'.repeat(100_000)

    expect(accountKey(long).length).toBeLessThan(100)
    expect(accountKey(long)).toBe(accountKey(long.toUpperCase()))
    expect(accountKey(long)).not.toBe(accountKey(`${long}b`))
  })
})
