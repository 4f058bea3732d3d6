import { describe, expect, test } from 'vitest'
import { countdown, toLoginFailure } from '../../../src/features/auth/login-failure.ts'
import { nextAddress } from '../../../src/features/auth/next-address.ts'
import { ApiError } from '../../../src/shared/api/api-error.ts'

const WRONG = 'The e-mail or the password is wrong.'
const wrong = (attempts_remaining: number) =>
  toLoginFailure(new ApiError(401, { error: WRONG, attempts_remaining }))

describe('a failed login in words', () => {
  test('states how many tries are left before the lock', () => {
    expect(wrong(3)).toEqual({
      kind: 'refused',
      message: `${WRONG} 3 more tries, then the account is locked for 15 minutes.`,
    })
    expect(wrong(1).message).toContain('1 more try, then')
  })

  test('counts the tries of a confirmation in the same way', () => {
    const error = new ApiError(403, { error: 'The password is wrong.', attempts_remaining: 1 })
    expect(toLoginFailure(error).message).toContain('1 more try, then')
  })

  test('is a lock of a quarter of an hour after the last try', () => {
    expect(wrong(0)).toMatchObject({ kind: 'locked', seconds: 900 })
  })

  test('is a lock of as long as the server states', () => {
    const error = new ApiError(429, { error: 'This account is locked.', retry_after_seconds: 540 })
    expect(toLoginFailure(error)).toEqual({
      kind: 'locked',
      message: 'This account is locked.',
      seconds: 540,
    })
  })

  test.each([
    new ApiError(0, { error: 'The server cannot be reached.' }),
    new ApiError(503, { error: 'The login took too long. Try again in a moment.' }),
    new ApiError(429, { error: 'Too many requests.' }),
    new Error('Something else'),
  ])('states what else went wrong: %s', (error) => {
    expect(toLoginFailure(error)).toEqual({ kind: 'refused', message: error.message })
  })
})

test.each([
  [900, '15:00'],
  [65, '1:05'],
  [9, '0:09'],
  [0, '0:00'],
])('%i seconds are shown as %s', (seconds, shown) => {
  expect(countdown(seconds)).toBe(shown)
})

describe('a login leads', () => {
  const origin = 'https://flags.example.com'

  test.each([
    ['/projects/1/environments/2/flags?q=a#b', '/projects/1/environments/2/flags?q=a#b'],
    ['https://flags.example.com/audit', '/audit'],
    [undefined, '/'],
    ['', '/'],
  ])('from %s to %s', (wanted, leadsTo) => {
    expect(nextAddress(wanted, origin)).toBe(leadsTo)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example/flags',
    'https://flags.example.com@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
  ])('not to another site: %s', (wanted) => {
    expect(nextAddress(wanted, origin)).toBe('/')
  })
})
