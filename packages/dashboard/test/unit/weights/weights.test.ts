import { expect, test } from 'vitest'
import { evenWeight, formatPercentage, percentagesOf } from '../../../src/parts/weights/weights.ts'

test('weights are normalized against their total: 6, 3, 1 behave as 60, 30, 10', () => {
  expect(percentagesOf([6, 3, 1]).map(formatPercentage)).toEqual(['60%', '30%', '10%'])
  expect(percentagesOf([0, 0])).toEqual([0, 0])
  expect(percentagesOf([1, 9999]).map(formatPercentage)).toEqual(['< 0.1%', '100%'])
})

test('an even split is exact for any number of variants', () => {
  expect(evenWeight(4)).toBe(25)
  expect(percentagesOf([1, 1, 1].map(() => evenWeight(3))).map(formatPercentage)).toEqual([
    '33.3%',
    '33.3%',
    '33.3%',
  ])
})
