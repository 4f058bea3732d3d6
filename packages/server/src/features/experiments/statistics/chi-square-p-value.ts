import { erfc } from './erfc.ts'

/** exp() of less than minus this is 0: the factor exp(-x) is applied in pieces, where the sum has grown to carry them. */
const EXPONENT_PIECE = 200
const LARGE = 1e100
const TWO_OVER_SQRT_PI = 1.1283791670955126

/**
 * How often chance alone gives a chi-square value of at least `chi_square`: the upper incomplete gamma function Q(df/2, chi_square/2).
 * For whole degrees of freedom it is a finite sum of positive terms, which loses no digits however small the result is
 * (Abramowitz & Stegun, 26.4.4 and 26.4.5).
 *
 * @param degrees_of_freedom A whole number of at least 1.
 */
export function chiSquarePValue(chi_square: number, degrees_of_freedom: number): number {
  const x = chi_square / 2
  const is_even = degrees_of_freedom % 2 === 0
  // exp(-x) times 1, x, x²/2!, ... or times √x / Γ(3/2), x√x / Γ(5/2), ...
  let term = is_even ? 1 : TWO_OVER_SQRT_PI * Math.sqrt(x)
  let sum = 0
  let exponent = x
  const scale = (by: number) => {
    const factor = Math.exp(-by)
    term *= factor
    sum *= factor
    exponent -= by
  }
  const terms = Math.floor(degrees_of_freedom / 2)
  for (let n = 1; n <= terms; n += 1) {
    sum += term
    term *= x / (is_even ? n : n + 0.5)
    if (sum > LARGE) scale(Math.min(exponent, EXPONENT_PIECE))
  }
  scale(exponent)
  return Math.min(1, is_even ? sum : erfc(Math.sqrt(x)) + sum)
}
