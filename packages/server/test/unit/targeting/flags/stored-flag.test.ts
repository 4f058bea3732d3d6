import { expect, it } from 'vitest'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'
import { readStoredFlag } from '../../../../src/targeting/flag-model/stored-flag.ts'

const flag = { ...toFlagContent({ key: 'stored', is_enabled: true }), archived_at: null, revision: 7 }

it('a stored flag is read unchanged', async () => {
  const full = {
    ...flag,
    flag_type: 'json',
    default_value: { a: [1, null] },
    rules: [
      { segment_key: 'beta' },
      { attribute: 'a', operator: 'equals', values: ['x'], variant: { b: 1 } },
    ],
    variants: [{ weight: 1, value: null }],
    prerequisites: [{ flag_key: 'other', required_value: 'on' }],
    archived_at: '2026-01-31T12:00:00.123Z',
  }
  expect(await readStoredFlag(full)).toEqual(full)
})

it('fields that did not exist when a flag was stored have their defaults', async () => {
  expect(await readStoredFlag({ key: 'stored', is_enabled: true, revision: 7 })).toEqual(flag)
})

it('obsolete fields of a stored flag are left out', async () => {
  expect(await readStoredFlag({ ...flag, colour: 'blue' })).toEqual(flag)
})

it.each([
  ['null', null],
  ['a text', 'flag'],
  ['a list', [flag]],
  ['a segment', { id: 'x', key: 'stored', name: 'n', rules: [], revision: 7 }],
  ['without a revision', { ...flag, revision: undefined }],
  ['with a value of another type', { ...flag, rollout_percentage: 'all' }],
  ['with a rule of another shape', { ...flag, rules: ['everybody'] }],
])('an invalid stored flag is not read: %s', async (_name, stored) => {
  expect(await readStoredFlag(stored)).toBeUndefined()
})
