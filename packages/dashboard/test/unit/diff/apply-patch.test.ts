import { expect, test } from 'vitest'
import { applyPatch } from '../../../src/shared/diff/apply-patch.ts'
import { printBoth } from '../../../src/shared/diff/print-json.ts'
import { aFlag } from '../a-flag.ts'

test('a merge patch changes the given fields only', () => {
  const flag = aFlag({ tags: ['a'] })
  expect(applyPatch(flag, { is_enabled: false, rollout_percentage: 5 })).toEqual({
    ...flag,
    is_enabled: false,
    rollout_percentage: 5,
  })
})

test('null in a patch sets a field to its default', () => {
  const flag = aFlag({ tags: ['a'], rollout_percentage: 5, description: 'x', default_value: false })
  const patch = { tags: null, rollout_percentage: null, description: null, default_value: null }
  expect(applyPatch(flag, patch)).toEqual(aFlag())
})

test('null as the value of a flag that is not boolean stays null', () => {
  const flag = aFlag({ flag_type: 'string', default_value: 'a', disabled_value: 'b' })
  expect(applyPatch(flag, { default_value: null }).default_value).toBeNull()
})

test('JSON values are merged field by field, and key and revision stay', () => {
  const flag = aFlag({ flag_type: 'json', default_value: { a: 1, b: { c: 2 } } })
  const patched = applyPatch(flag, { default_value: { a: null, b: { d: 3 } }, key: 'other', revision: 9 })
  expect(patched.default_value).toEqual({ b: { c: 2, d: 3 } })
  expect([patched.key, patched.revision]).toEqual([flag.key, flag.revision])
})

test('both sides of a diff have their fields in one order', () => {
  const printed = printBoth({ a: 1, b: { x: 1, y: 2 } }, { c: 3, b: { y: 2, x: 9 }, a: 1 })
  expect(JSON.stringify(JSON.parse(printed.after))).toBe('{"a":1,"b":{"x":9,"y":2},"c":3}')
  expect(printBoth(null, { a: 1 }).before).toBe('')
})
