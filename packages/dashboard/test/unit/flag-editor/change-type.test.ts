import { expect, test } from 'vitest'
import { changeType } from '../../../src/features/flags/editor/change-type.ts'
import type { Draft } from '../../../src/features/flags/editor/draft.ts'

const aDraft = (fields: Partial<Draft>): Draft => ({
  is_enabled: true,
  rollout_percentage: null,
  description: null,
  rules: [],
  flag_type: 'string',
  default_value: '40',
  disabled_value: 'none',
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  ...fields,
})

test('values that can be read as the new type are kept, the others are no value', () => {
  const draft = aDraft({
    variants: [{ weight: 1, value: '7' }],
    rules: [
      { segment_key: 'a', variant: '8' },
      { segment_key: 'b', variant: 'x' },
    ],
  })

  expect(changeType(draft, 'integer')).toMatchObject({
    flag_type: 'integer',
    default_value: 40,
    disabled_value: null,
    variants: [{ weight: 1, value: 7 }],
    rules: [{ segment_key: 'a', variant: 8 }, { segment_key: 'b' }],
  })
})

test('a boolean flag gets true and false, no variants and no variants of rules', () => {
  const draft = aDraft({ variants: [{ weight: 1, value: 'x' }], rules: [{ segment_key: 'a', variant: 'x' }] })

  const changed = changeType(draft, 'boolean')

  expect(changed).toMatchObject({ default_value: true, disabled_value: false, variants: [] })
  expect(changed.rules).toEqual([{ segment_key: 'a' }])
})
