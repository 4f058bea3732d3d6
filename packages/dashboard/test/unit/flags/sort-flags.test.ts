import { expect, test } from 'vitest'
import { listFlag } from '../../../src/features/flags/list/filter-flags.ts'
import { type FlagOrder, readOrder, sortFlags } from '../../../src/features/flags/list/sort-flags.ts'
import { aFlag } from '../a-flag.ts'

const LISTED = [
  listFlag(aFlag({ key: 'b', revision: 3 })),
  listFlag(aFlag({ key: 'C', revision: 9 })),
  listFlag(aFlag({ key: 'a', revision: 5 })),
]
const IMPRESSIONS: Readonly<Record<string, number>> = { b: 10 }

test.each<[FlagOrder, string[]]>([
  ['key', ['a', 'b', 'C']],
  ['changed', ['C', 'a', 'b']],
  ['impressions', ['b', 'a', 'C']],
])('flags are sorted by %s', (order, keys) => {
  const sorted = sortFlags(LISTED, order, (key) => IMPRESSIONS[key] ?? 0)

  expect(sorted.map(({ flag }) => flag.key)).toEqual(keys)
})

test('an order that nobody knows is the one by key', () => {
  expect(readOrder('colour')).toBe('key')
})
