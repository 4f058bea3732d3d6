import { chiSquarePValue } from './chi-square-p-value.ts'

/**
 * The p-value below which the split is reported as wrong. It is strict, because it is checked at each look
 * (Fabijan et al., KDD 2019).
 */
const MISMATCH_BELOW = 0.001
/** The expected users of each value from which chi-square is valid (Cochran, Biometrics 10, 1954). */
const EXPECTED_MIN = 5

export interface SampleRatioMismatch {
  readonly p_value: number
  readonly mismatch: boolean
}

/**
 * Tests whether users were split by the weights: Pearson's chi-square test. Values without a weight are left
 * out with their users: rules, a partial rollout and a disabled flag give values that no weight decides. Null
 * with fewer than two weighted values, or without users.
 * @param weights The weights by value; a value with 0 is never chosen.
 * @param exposed The users by the value that they saw first.
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
