import { expect, test } from 'vitest'
import { describeFlag } from '../../../src/features/compare/describe-flag.ts'
import { driftBetween, driftRows } from '../../../src/features/compare/drift.ts'
import { filterRows } from '../../../src/features/compare/filter-rows.ts'
import { describeFields } from '../../../src/parts/flag-diff/describe-fields.ts'
import { aFlag } from '../a-flag.ts'

test('flags differ by everything but their revision, and by being archived, not since when', () => {
  const flag = aFlag({ archived_at: '2026-01-01T00:00:00.000Z' })
  expect(driftBetween(flag, { ...flag, revision: 7, archived_at: '2026-02-01T00:00:00.000Z' })).toEqual({
    kind: 'same',
  })
  expect(driftBetween(flag, { ...flag, archived_at: null, rollout_percentage: 3 })).toEqual({
    kind: 'different',
    fields: ['rollout_percentage', 'archived'],
  })
  expect(driftBetween(flag, undefined)).toEqual({ kind: 'missing' })
  expect(driftBetween(undefined, flag)).toEqual({ kind: 'extra' })
})

test('the times of a flag and its author are no drift', () => {
  const listed = (day: string, updated_by: string) => ({
    ...aFlag(),
    ...{ created_at: `${day}T00:00:00.000Z`, updated_at: `${day}T00:00:00.000Z`, updated_by },
  })
  expect(driftBetween(listed('2026-01-01', 'ada'), listed('2026-02-01', 'grace'))).toEqual({ kind: 'same' })
})

test('the matrix has every flag of any environment, compared with the chosen one', () => {
  const rows = driftRows(
    new Map([
      ['production', [aFlag({ key: 'a' }), aFlag({ key: 'b', is_enabled: false })]],
      ['staging', [aFlag({ key: 'b' }), aFlag({ key: 'c' })]],
      ['development', [aFlag({ key: 'a' }), aFlag({ key: 'b', is_enabled: false })]],
    ]),
    'production',
  )
  const kinds = rows.map(({ key, drifts }) => [
    key,
    drifts.get('staging')?.kind,
    drifts.get('development')?.kind,
  ])
  expect(kinds).toEqual([
    ['a', 'missing', 'same'],
    ['b', 'different', 'same'],
    ['c', 'extra', 'none'],
  ])
})

test('rows are found by key and description, and the ones that agree can be left out', () => {
  const rows = driftRows(
    new Map([
      ['production', [aFlag({ key: 'a', description: 'The Banner' }), aFlag({ key: 'b' })]],
      ['staging', [aFlag({ key: 'a', description: 'The Banner' }), aFlag({ key: 'b', is_enabled: false })]],
    ]),
    'production',
  )
  const keys = (q: string, isOnlyDifferent: boolean) =>
    filterRows(rows, { q, isOnlyDifferent }).map(({ key }) => key)
  expect(keys('', true)).toEqual(['b'])
  expect(keys(' banner', false)).toEqual(['a'])
  expect(keys('banner', true)).toEqual([])
})

test('the state of a flag is described in a few words', () => {
  expect(describeFlag(aFlag({ is_enabled: false }))).toBe('Off')
  expect(describeFlag(aFlag({ rollout_percentage: 25, rules: [{ segment_key: 'x' }] }))).toBe(
    'On, 25%, 1 rule',
  )
  expect(describeFlag(aFlag({ archived_at: '2026-01-01T00:00:00.000Z' }))).toBe('Archived')
  expect(describeFields(['is_enabled', 'default_value'])).toBe('switch, default value')
})
