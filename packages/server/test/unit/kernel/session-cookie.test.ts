import { expect, test } from 'vitest'
import { clearedSessionCookie, sessionCookie } from '../../../src/kernel/session-cookie.ts'

test('the session cookie is lg_session, HttpOnly, SameSite=Strict and lives for the given time', () => {
  expect(sessionCookie('sealed', { secure: false, maxAgeSeconds: 604_800 })).toBe(
    'lg_session=sealed; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict',
  )
})

test('the Secure flag follows COOKIE_SECURE', () => {
  expect(sessionCookie('sealed', { secure: true, maxAgeSeconds: 604_800 })).toMatch(/; Secure$/)
  expect(clearedSessionCookie(true)).toMatch(/; Secure$/)
  expect(sessionCookie('sealed', { secure: false, maxAgeSeconds: 604_800 })).not.toContain('Secure')
})

test('signing out clears the cookie', () => {
  expect(clearedSessionCookie(false)).toBe('lg_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
})
