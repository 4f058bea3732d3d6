import { expect, test } from 'vitest'
import { findUndecided, findWinner } from '../../../src/features/experiments/ship/find-winner.ts'

/** A variant as the results have it; `p_value` is that of the always-valid test. */
const variant = (name: string, conversion_rate: number, p_value: number | null) =>
  ({ variant: name, conversion_rate, sequential: p_value === null ? null : { p_value } }) as never

const results = (...others: readonly never[]) => ({
  variants: [variant('sea', 0.1, null), ...others],
  sample_ratio_mismatch: null,
})

test('the one variant that is better than the control has won, even while others are undecided', () => {
  const open = results(variant('coral', 0.11, 0.4), variant('meadow', 0.2, 0.001))

  expect(findWinner(open)).toBe('meadow')
  expect(findUndecided(open)).toEqual(['coral'])
})

test('the control has won where every other variant is worse', () => {
  expect(findWinner(results(variant('coral', 0.05, 0.001), variant('meadow', 0.04, 0.001)))).toBe('sea')
})

test('no variant has won while nothing is decided, where several are better, and where the split is broken', () => {
  expect(findWinner(results(variant('coral', 0.11, 0.4)))).toBeNull()
  expect(findWinner(results(variant('coral', 0.2, 0.001), variant('meadow', 0.3, 0.001)))).toBeNull()
  const broken = {
    ...results(variant('meadow', 0.2, 0.001)),
    sample_ratio_mismatch: { mismatch: true } as never,
  }
  expect(findWinner(broken)).toBeNull()
  expect(findWinner({ variants: [], sample_ratio_mismatch: null })).toBeNull()
})
