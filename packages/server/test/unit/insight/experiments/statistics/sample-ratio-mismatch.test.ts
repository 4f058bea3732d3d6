import { describe, expect, it } from 'vitest'
import { sampleRatioMismatch } from '../../../../../src/insight/experiments/statistics/sample-ratio-mismatch.ts'

const check = (weights: Readonly<Record<string, number>>, exposed: Readonly<Record<string, number>>) =>
  sampleRatioMismatch(new Map(Object.entries(weights)), new Map(Object.entries(exposed)))

describe('the check of the split', () => {
  it.each([
    // By mpmath 1.3 with 40 digits; the second is the example of Kohavi, Tang & Xu, Trustworthy Online
    // Controlled Experiments, chapter 3.
    ['equal weights', { a: 50, b: 50 }, { a: 821, b: 815 }, 0.8820740916724249, false],
    ['a published broken split', { a: 50, b: 50 }, { a: 821_588, b: 815_482 }, 1.8217928726191873e-6, true],
    ['three weights', { a: 6, b: 3, c: 1 }, { a: 580, b: 310, c: 110 }, 0.36787944117144233, false],
    [
      'three weights and a broken split',
      { a: 6, b: 3, c: 1 },
      { a: 5_000, b: 3_600, c: 1_400 },
      1.017573312248685e-97,
      true,
    ],
    [
      'five weights',
      { a: 1, b: 1, c: 1, d: 1, e: 1 },
      { a: 90, b: 110, c: 100, d: 95, e: 105 },
      0.6446357929354277,
      false,
    ],
  ])('the split check gives the reference p-value for %s', (_case, weights, exposed, p_value, mismatch) => {
    const checked = check(weights, exposed)
    expect(Math.abs((checked?.p_value ?? Number.NaN) / p_value - 1)).toBeLessThan(1e-9)
    expect(checked?.mismatch).toBe(mismatch)
  })

  it('the split check counts a weighted value without users', () => {
    expect(check({ a: 1, b: 1 }, { a: 40 })).toMatchObject({ mismatch: true })
  })

  it('the split check leaves out values without a weight, and those with a weight of 0', () => {
    const alone = check({ a: 1, b: 1 }, { a: 30, b: 31 })
    expect(check({ a: 1, b: 1, zero: 0 }, { a: 30, b: 31, zero: 500, unknown: 700 })).toEqual(alone)
  })

  it.each([
    ['no weights', {}, { a: 10 }],
    ['one weighted value', { a: 1, b: 0 }, { a: 10, b: 10 }],
    ['no users of a weighted value', { a: 1, b: 1 }, { unknown: 10 }],
    ['no users', { a: 1, b: 1 }, {}],
  ])('the split check is null with %s', (_case, weights, exposed) => {
    expect(check(weights, exposed)).toBeNull()
  })

  it('the split check reports no mismatch before 5 users are expected for each value', () => {
    const early = check({ a: 999, b: 1 }, { a: 9, b: 1 })
    expect(early?.p_value).toBeLessThan(1e-6)
    expect(early?.mismatch).toBe(false)
    expect(check({ a: 999, b: 1 }, { a: 4_500, b: 500 })?.mismatch).toBe(true)
  })
})
