import { expect, test } from 'vitest'
import { activityByFlag } from '../../../src/features/flags/list/activity-by-flag.ts'
import { cursorAfter } from '../../../src/features/flags/list/cursor-after.ts'
import { ownersOf, tagsOf } from '../../../src/features/flags/list/seen-in-flags.ts'
import { selectRange } from '../../../src/features/flags/list/select-range.ts'
import { aFlag } from '../a-flag.ts'

const KEYS = ['a', 'b', 'c', 'd']
const NOW = Date.parse('2026-03-02T10:00:00Z')

test('Shift selects all rows between two, in both directions', () => {
  const down = selectRange(new Set(['a']), KEYS, { from: 'a', to: 'c', isSelected: true })
  const up = selectRange(new Set(KEYS), KEYS, { from: 'd', to: 'b', isSelected: false })

  expect([...down]).toEqual(['a', 'b', 'c'])
  expect([...up]).toEqual(['a'])
})

test('a range that begins at a row which is no longer listed is its end alone', () => {
  expect([...selectRange(new Set(), KEYS, { from: 'gone', to: 'c', isSelected: true })]).toEqual(['c'])
})

test.each([
  ['ArrowDown', 0, 1],
  ['j', -1, 0],
  ['ArrowDown', 3, 3],
  ['k', 0, 0],
  ['ArrowUp', 2, 1],
  ['PageDown', 0, 3],
  ['End', 1, 3],
  ['Home', 2, 0],
  ['a', 2, null],
])('%s leads from row %s to %s', (key, index, to) => {
  expect(cursorAfter(key, { index, count: 4 })).toBe(to)
})

test('an empty list has no row to go to', () => {
  expect(cursorAfter('ArrowDown', { index: -1, count: 0 })).toBeNull()
})

test('days without impressions count as none', () => {
  const days = [
    { day: '2026-02-28', count: 2 },
    { day: '2026-03-02', count: 5 },
  ]
  const activity = activityByFlag([{ flag_key: 'a', days }], { days: 4, now: NOW })

  expect(activity.get('a')).toEqual({ counts: [0, 2, 0, 5], total: 7 })
})

test('today is left out while nothing has come', () => {
  const days = [{ day: '2026-03-01', count: 2 }]
  const activity = activityByFlag([{ flag_key: 'a', days }], { days: 3, now: NOW })

  expect(activity.get('a')?.counts).toEqual([0, 2])
})

test('tags and owners to filter by are listed once, owners whatever their case', () => {
  const flags = [
    aFlag({ tags: ['b', 'a'], owner_email: 'Ada@example.com' }),
    aFlag({ tags: ['a'], owner_email: 'ada@example.com' }),
    aFlag({ owner_email: null }),
  ]

  expect(tagsOf(flags)).toEqual(['a', 'b'])
  expect(ownersOf(flags)).toEqual(['Ada@example.com'])
})
