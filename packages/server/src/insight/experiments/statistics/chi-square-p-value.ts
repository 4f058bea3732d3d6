import { erfc } from './erfc.ts'

/**
 * The exponent of one factor. exp() of a smaller number is 0, so the factor exp(-x) is applied in pieces when
 * the sum is large enough.
 */
const EXPONENT_PIECE = 200
const LARGE = 1e100
const TWO_OVER_SQRT_PI = 1.1283791670955126

/**
 * Returns the probability that chance alone gives a chi-square value of at least `chiSquare`: the upper
 * incomplete gamma function Q(df/2, chiSquare/2). For whole degrees of freedom it is a finite sum of positive
 * terms, which loses no digits however small the result is (Abramowitz & Stegun, 26.4.4 and 26.4.5).
 * @param degreesOfFreedom A whole number of at least 1.
 */
export function chiSquarePValue(chiSquare: number, degreesOfFreedom: number): number {
  const x = chiSquare / 2
  const isEven = degreesOfFreedom % 2 === 0
  // exp(-x) times 1, x, x²/2!, ... or times √x / Γ(3/2), x√x / Γ(5/2), ...
  let term = isEven ? 1 : TWO_OVER_SQRT_PI * Math.sqrt(x)
  let sum = 0
  let exponent = x
  const scale = (by: number) => {
    const factor = Math.exp(-by)
    term *= factor
    sum *= factor
    exponent -= by
  }
  const terms = Math.floor(degreesOfFreedom / 2)
  for (let n = 1; n <= terms; n += 1) {
    sum += term
    term *= x / (isEven ? n : n + 0.5)
    if (sum > LARGE) scale(Math.min(exponent, EXPONENT_PIECE))
  }
  scale(exponent)
  return Math.min(1, isEven ? sum : erfc(Math.sqrt(x)) + sum)
}
