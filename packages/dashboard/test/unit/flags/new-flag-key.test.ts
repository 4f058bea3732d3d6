import { KEY_MAX_LENGTH } from '@burgee/contract'
import { expect, test } from 'vitest'
import { checkKey } from '../../../src/features/flags/list/create/check-key.ts'
import { suggestKey } from '../../../src/features/flags/list/create/suggest-key.ts'
import { aFlag } from './a-flag.ts'

test.each([
  ['New checkout', 'new-checkout'],
  ['  One button, not four! ', 'one-button-not-four'],
  ["Don't ask Zoë", 'dont-ask-zoe'],
  ['🏳️', ''],
  ['', ''],
  ['a description that goes on for much longer than any key should', 'a-description-that-goes-on-for-much'],
  ['x'.repeat(5_000), 'x'.repeat(40)],
])('a key is suggested from words: %j', (words, key) => {
  expect(suggestKey(words)).toBe(key)
  expect(key.length).toBeLessThanOrEqual(KEY_MAX_LENGTH)
})

test('a key that exists is refused with its flag, since writing to it would replace that', () => {
  const flag = aFlag({ key: 'new-checkout' })

  expect(checkKey('new-checkout', [flag])).toEqual({ kind: 'taken', flag })
  expect(checkKey('New-checkout', [flag])).toBeNull()
})

test.each(['', 'ä', 'a b', 'x'.repeat(KEY_MAX_LENGTH + 1)])(
  'a key that does not fit is refused: %j',
  (key) => {
    expect(checkKey(key, [])?.kind).toBe('unfit')
  },
)
