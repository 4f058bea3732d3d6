import { expect, test } from 'vitest'
import { spreadOrigins } from '../../../src/features/evaluate/rule-origins.ts'

test('each expanded rule has the origin of its run', () => {
  const beta = { rule_index: 0, segment_keys: ['beta'] }
  const own = { rule_index: 2, segment_keys: [] }
  expect(
    spreadOrigins([
      { ...beta, count: 2 },
      { ...own, count: 1 },
    ]),
  ).toEqual([beta, beta, own])
})
