import { KEY_MAX_LENGTH } from '@burgee/contract'
import { expect, test } from 'vitest'
import { checkKey } from '../../../src/features/flags/list/create/check-key.ts'
import { aFlag } from '../a-flag.ts'

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
