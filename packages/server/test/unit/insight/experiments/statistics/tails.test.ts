import { describe, expect, it } from 'vitest'
import { chiSquarePValue } from '../../../../../src/insight/experiments/statistics/chi-square-p-value.ts'
import { erfc } from '../../../../../src/insight/experiments/statistics/erfc.ts'
import { twoSidedPValue } from '../../../../../src/insight/experiments/statistics/two-sided-p-value.ts'
import { referenceChiSquare, referenceErfc } from './reference/reference-tails.ts'

const RELATIVE_ERROR_MAX = 1e-12

const relativeError = (value: number, reference: number): number => Math.abs(value / reference - 1)

describe('erfc', () => {
  it.each([0, 1e-9, 0.1, 0.5, 1, 1.5, 1.99, 2, 2.01, 2.5, 3, 4, 5, 7.07, 10, 15, 21.213, 25, 26])(
    'erfc of %d agrees with 600 digits',
    (x) => {
      expect(relativeError(erfc(x), referenceErfc(x))).toBeLessThan(RELATIVE_ERROR_MAX)
    },
  )

  it('erfc agrees with published values', () => {
    // Abramowitz & Stegun, tables 7.1 and 7.3: erf(0.5), erf(1); NIST DLMF 7.
    expect(erfc(0.5)).toBeCloseTo(1 - 0.5204998778, 10)
    expect(erfc(1)).toBeCloseTo(1 - 0.8427007929, 10)
  })

  it('erfc decreases steadily where series and fraction meet', () => {
    const below = erfc(2 - 1e-9)
    const above = erfc(2 + 1e-9)
    // Its slope there is -2/√π exp(-4).
    expect((below - above) / 2e-9).toBeCloseTo(1.1283791670955126 * Math.exp(-4), 6)
  })
})

describe('the two-sided p-value', () => {
  it.each([
    [0, 1],
    [1, 0.31731050786291415],
    [1.959963984540054, 0.05],
    [2.5758293035489004, 0.01],
    [-3.290526731491926, 0.001],
    [5, 5.733031437583878e-7],
  ])('the two-sided p-value of z = %d is %d', (z, p) => {
    expect(relativeError(twoSidedPValue(z), p)).toBeLessThan(RELATIVE_ERROR_MAX)
  })

  it.each([10, 15, 20, 30])('the two-sided p-value is exact far out, at z = %d', (z) => {
    expect(relativeError(twoSidedPValue(z), referenceErfc(z * Math.SQRT1_2))).toBeLessThan(RELATIVE_ERROR_MAX)
  })
})

describe('the chi-square p-value', () => {
  it.each([
    // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: upper critical values.
    [3.841, 1, 0.05],
    [5.991, 2, 0.05],
    [10.828, 1, 0.001],
    [13.816, 2, 0.001],
    [18.307, 10, 0.05],
    [124.342, 100, 0.05],
  ])('the chi-square p-value of %d with %i degrees of freedom is the tabulated %d', (chiSquare, df, p) => {
    expect(relativeError(chiSquarePValue(chiSquare, df), p)).toBeLessThan(1e-3)
  })

  const cases = [1, 2, 3, 4, 5, 9, 10, 31, 100].flatMap((df) =>
    [0.001, 0.5, 1, 3.84, 10.83, 40, 100, 399, 900].map((chiSquare) => [chiSquare, df] as const),
  )
  it.each(cases)(
    'the chi-square p-value of %d with %i degrees of freedom agrees with 600 digits',
    (chiSquare, df) => {
      const reference = referenceChiSquare(chiSquare, df)
      expect(relativeError(chiSquarePValue(chiSquare, df), reference)).toBeLessThan(RELATIVE_ERROR_MAX)
    },
  )

  it('the chi-square p-value is 1 without a difference, and a number with many values and far out', () => {
    expect(chiSquarePValue(0, 1)).toBe(1)
    expect(chiSquarePValue(0, 4)).toBe(1)
    expect(relativeError(chiSquarePValue(1_600, 1_400), referenceChiSquare(1_600, 1_400))).toBeLessThan(1e-11)
    expect(chiSquarePValue(1e6, 3)).toBe(0)
  })
})
