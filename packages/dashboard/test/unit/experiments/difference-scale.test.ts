import { describe, expect, test } from 'vitest'
import type { VariantResult } from '../../../src/features/experiments/descriptions/describe-comparison.ts'
import { differenceScale } from '../../../src/features/experiments/results/difference-scale.ts'
import { pickVariants } from '../../../src/features/experiments/results/pick-variants.ts'

const variantOf = (given: Partial<VariantResult>): VariantResult => ({
  variant: 'blue',
  exposed: 100,
  converted: 10,
  conversion_rate: 0.1,
  is_control: false,
  uplift: null,
  z_score: null,
  p_value: null,
  significant: false,
  confidence_interval: null,
  sequential: null,
  ...given,
})
const CONTROL = variantOf({ is_control: true })

describe('the scale of differences', () => {
  test('holds zero and both intervals, with zero among its ticks', () => {
    const better = variantOf({
      conversion_rate: 0.13,
      confidence_interval: { low: 0.02, high: 0.04 },
      sequential: { p_value: 0.01, low: 0.01, high: 0.05 },
    })

    const { percentOf, ticks } = differenceScale([better], CONTROL)

    expect(percentOf(0)).toBeGreaterThan(0)
    expect(percentOf(0.05)).toBeLessThan(100)
    expect(percentOf(0.01)).toBeGreaterThan(percentOf(0))
    expect(ticks[0]).toBe(0)
    expect(ticks.map((tick) => Math.round(tick * 1_000) / 1_000)).toEqual([0, 0.01, 0.02, 0.03, 0.04, 0.05])
  })

  test('is not empty where nothing differs and no interval is known', () => {
    const { percentOf, ticks } = differenceScale([variantOf({})], CONTROL)

    expect(percentOf(0)).toBeCloseTo(50)
    expect(ticks).toContain(0)
  })

  test('has few ticks at any size', () => {
    for (const high of [1e-6, 0.003, 0.07, 1]) {
      const wide = variantOf({ confidence_interval: { low: -high / 3, high } })
      const { ticks } = differenceScale([wide], CONTROL)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(9)
    }
  })
})

describe('the variants shown at first', () => {
  test('are the control and those that most users saw, in their order', () => {
    const others = [1, 30, 20].map((exposed) => variantOf({ variant: `v${exposed}`, exposed }))

    const picked = pickVariants([CONTROL, ...others], 3)

    expect(picked.map(({ variant }) => variant)).toEqual(['blue', 'v30', 'v20'])
    expect(pickVariants([], 3)).toEqual([])
  })
})
