import { expect, test } from 'vitest'
import { changedFields } from '../../../src/shared/forms/changed-fields.ts'

test('only what differs is sent, lists by what they hold', () => {
  const before = { name: 'a', enabled: true, events: ['x'], control: 'blue' as string | null }

  expect(changedFields(before, { ...before, events: ['x'] })).toEqual({})
  expect(changedFields(before, { name: 'a', enabled: false, events: [], control: null })).toEqual({
    enabled: false,
    events: [],
    control: null,
  })
})
