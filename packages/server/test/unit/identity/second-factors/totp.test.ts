import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryCodeHash } from '../../../../src/identity/second-factors/recovery-codes.ts'
import {
  matchTotp,
  otpauthUrl,
  toBase32,
  totpCode,
  totpStep,
} from '../../../../src/identity/second-factors/totp.ts'
import { fromBase32 } from '../../../harness/second-factors.ts'

/** The secret of the RFCs' test vectors. */
const SECRET = Buffer.from('12345678901234567890')
const STEP_MS = 30_000

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %d seconds is that of RFC 6238, appendix B', (seconds, code) => {
  expect(totpCode(SECRET, totpStep(seconds * 1_000), 8)).toBe(code)
})

test('the codes of the first steps are those of RFC 4226, appendix D', () => {
  const codes = Array.from({ length: 10 }, (_, step) => totpCode(SECRET, step))

  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489')
})

test('a code of the step before, of this one and of the next is accepted, and no other', () => {
  const nowMs = 1_000 * STEP_MS
  const accepts = (step: number) => matchTotp(SECRET, totpCode(SECRET, step), { nowMs, lastStep: null })

  expect([998, 999, 1_000, 1_001, 1_002].map(accepts)).toEqual([null, 999, 1_000, 1_001, null])
})

test('a step is accepted once, and none before it', () => {
  const nowMs = 1_000 * STEP_MS
  const accepts = (step: number) => matchTotp(SECRET, totpCode(SECRET, step), { nowMs, lastStep: 1_000 })

  expect([999, 1_000, 1_001].map(accepts)).toEqual([null, null, 1_001])
})

test.each(['', '0', '１２３４５６', '12345', '1234567', '0x1234', 'NaN', ' '.repeat(90)])(
  'the text %j is no code',
  (text) => {
    expect(matchTotp(SECRET, text, { nowMs: 1_000 * STEP_MS, lastStep: null })).toBeNull()
  },
)

test('spaces in a code are ignored', () => {
  const code = totpCode(SECRET, 1)
  const spaced = `${code.slice(0, 3)} ${code.slice(3)} `
  expect(matchTotp(SECRET, spaced, { nowMs: STEP_MS, lastStep: null })).toBe(1)
})

test.each([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('the base32 of %s is that of RFC 4648, section 10', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
  expect(fromBase32(encoded).toString()).toBe(text)
})

test('the address for a QR code escapes the account, and has no second colon', () => {
  const url = otpauthUrl({ issuer: 'Burgee', account: 'a:b c@example.com', secret: 'ABC' })

  expect(url).toBe('otpauth://totp/Burgee:a%20b%20c%40example.com?secret=ABC&issuer=Burgee')
})

test('recovery codes differ, and are found as they are typed', () => {
  let calls = 0
  const codes = newRecoveryCodes((count) => {
    calls += 1
    return Uint8Array.from({ length: count }, (_, at) => calls * 16 + at)
  })

  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{6}(-[a-z2-7]{6}){3}$/)
    expect(recoveryCodeHash(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(recoveryCodeHash(code))
  }
})
