import type { ImpressionStats } from '@burgee/contract'
import { expect, test } from 'vitest'
import { sortStats } from '../../../src/features/impressions/analytics/sort-stats.ts'

const statsOf = (flag_key: string, total: number, last_seen = '2026-03-01T10:00:00Z'): ImpressionStats => ({
  flag_key,
  total,
  true_count: 0,
  false_count: 0,
  unique_users: total,
  last_seen,
})
const STATS = [statsOf('b', 1, '2026-03-03T00:00:00Z'), statsOf('a', 5), statsOf('c', 5)]
const keysOf = (stats: readonly ImpressionStats[]) => stats.map(({ flag_key }) => flag_key).join('')

test('numbers and times begin with the greatest, keys with A, and equal ones go by key', () => {
  expect(keysOf(sortStats(STATS, { q: '', sort: 'total', order: 'first' }))).toBe('acb')
  expect(keysOf(sortStats(STATS, { q: '', sort: 'last_seen', order: 'first' }))).toBe('bac')
  expect(keysOf(sortStats(STATS, { q: '', sort: 'flag_key', order: 'first' }))).toBe('abc')
})

test('each order can be turned around', () => {
  expect(keysOf(sortStats(STATS, { q: '', sort: 'total', order: 'reversed' }))).toBe('bac')
  expect(keysOf(sortStats(STATS, { q: '', sort: 'flag_key', order: 'reversed' }))).toBe('cba')
})

test('a search finds parts of keys, capital letters or not', () => {
  const stats = [statsOf('New-Checkout', 1), statsOf('banner', 2)]

  expect(keysOf(sortStats(stats, { q: ' check ', sort: 'total', order: 'first' }))).toBe('New-Checkout')
})
