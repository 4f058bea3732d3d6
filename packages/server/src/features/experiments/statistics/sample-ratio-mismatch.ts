import { chiSquarePValue } from './chi-square-p-value.ts'

/** Below it the split is called broken. Strict, because the check is made at each look (Fabijan et al., KDD 2019). */
const MISMATCH_BELOW = 0.001
/** Users that each value must be expected to have before chi-square is to be believed (Cochran, Biometrics 10, 1954). */
const EXPECTED_MIN = 5

export interface SampleRatioMismatch {
  readonly p_value: number
  readonly mismatch: boolean
}

/**
 * Whether users came to the values as their weights say: Pearson's chi-square test. Values without a weight are left out, and users who
 * saw them: rules, a partial rollout and a switched-off flag give values that no weight decides.
 * Null with fewer than two weighted values, or without users among them.
 *
 * @param weights By value; 0 means that none is given out.
 * @param exposed Users by the value that they saw first.
 */
export function sampleRatioMismatch(
  weights: ReadonlyMap<string, number>,
  exposed: ReadonlyMap<string, number>,
): SampleRatioMismatch | null {
  const weighted = [...weights].filter(([, weight]) => weight > 0)
  const users = weighted.reduce((sum, [value]) => sum + (exposed.get(value) ?? 0), 0)
  if (weighted.length < 2 || users === 0) return null
  const totalWeight = weighted.reduce((sum, [, weight]) => sum + weight, 0)
  let chiSquare = 0
  let leastExpected = Number.POSITIVE_INFINITY
  for (const [value, weight] of weighted) {
    const expected = (users * weight) / totalWeight
    chiSquare += ((exposed.get(value) ?? 0) - expected) ** 2 / expected
    leastExpected = Math.min(leastExpected, expected)
  }
  const p_value = chiSquarePValue(chiSquare, weighted.length - 1)
  return { p_value, mismatch: p_value < MISMATCH_BELOW && leastExpected >= EXPECTED_MIN }
}
