import { expect, test } from 'vitest'
import { shipPatch } from '../../../src/features/experiments/ship/ship-patch.ts'
import { aFlag } from '../a-flag.ts'

test('a shipped value replaces variants, rules and rollout', () => {
  const flag = aFlag({
    flag_type: 'json',
    default_value: { size: 1 },
    variants: [
      { value: { size: 1 }, weight: 1 },
      { value: { size: 2 }, weight: 1 },
    ],
  })

  expect(shipPatch(flag, '{"size":2}')).toEqual({
    is_enabled: true,
    rules: [],
    variants: [],
    rollout_percentage: null,
    default_value: { size: 2 },
  })
  expect(shipPatch(flag, '{"size":1}')).not.toHaveProperty('default_value')
})

test('a boolean flag whose control wins is turned off', () => {
  const flag = aFlag({ flag_type: 'boolean', default_value: true, disabled_value: false })

  expect(shipPatch(flag, 'false')).toEqual({ is_enabled: false })
  expect(shipPatch(flag, 'true')).toMatchObject({ is_enabled: true, rollout_percentage: null })
})

test('a value that the flag no longer has is not shipped, and neither is one behind a prerequisite', () => {
  expect(shipPatch(aFlag({ flag_type: 'string', default_value: 'blue' }), 'green')).toBeNull()
  const flag = aFlag({ prerequisites: [{ flag_key: 'parent' }] })
  expect(shipPatch(flag, 'true')).toBeNull()
})
