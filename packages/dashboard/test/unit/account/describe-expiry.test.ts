import { expect, test } from 'vitest'
import { describeExpiry } from '../../../src/parts/access-tokens/describe-expiry.ts'

const NOW = Date.parse('2026-02-11T10:00:00.000Z')

test.each([
  [null, 'never', 'Never expires'],
  ['2026-05-12T09:59:59.000Z', 'later', 'Expires in 90 days'],
  ['2026-02-11T15:00:00.000Z', 'soon', 'Expires in 5 hours'],
  ['2026-02-14T10:00:00.000Z', 'soon', 'Expires in 3 days'],
  ['2026-02-09T10:00:00.000Z', 'expired', 'Expired 2 days ago'],
] as const)('a token that expires at %s: %s', (expires_at, kind, words) => {
  expect(describeExpiry(expires_at, NOW)).toEqual({ kind, words })
})
