import { fromNumber, ONE, over, PI, squareRoot, times, toNumber } from './big-fraction.ts'

/** erfc(x) = 1 - 2/√π Σ (-1)^n x^(2n+1) / (n! (2n+1)), with 600 digits. */
export function referenceErfc(x: number): number {
  const exact = fromNumber(x)
  const square = times(exact, exact)
  let power = exact
  let sum = exact
  for (let n = 1n; power !== 0n; n += 1n) {
    power = -times(power, square) / n
    sum += power / (2n * n + 1n)
  }
  return toNumber(ONE - over(2n * sum, squareRoot(PI)))
}

/**
 * Q(a, x) = 1 - x^a / Γ(a) Σ (-x)^n / (n! (a + n)) with a = df / 2 and x = chiSquare / 2, with 600 digits.
 */
export function referenceChiSquare(chiSquare: number, df: number): number {
  const x = fromNumber(chiSquare) / 2n
  let power = ONE
  let sum = 0n
  for (let n = 0n; power !== 0n; n += 1n) {
    sum += (2n * power) / (BigInt(df) + 2n * n)
    power = -times(power, x) / (n + 1n)
  }
  return toNumber(ONE - over(times(halfPower(x, df), sum), gammaOfHalf(df)))
}

/** x^(n/2) */
function halfPower(x: bigint, n: number): bigint {
  let power = n % 2 === 0 ? ONE : squareRoot(x)
  for (let k = 0; k < Math.floor(n / 2); k += 1) power = times(power, x)
  return power
}

/** Γ(n/2), from Γ(1/2) = √π and Γ(1) = 1. */
function gammaOfHalf(n: number): bigint {
  let gamma = n % 2 === 0 ? ONE : squareRoot(PI)
  for (let k = n % 2 === 0 ? 2 : 1; k < n; k += 2) gamma = (gamma * BigInt(k)) / 2n
  return gamma
}
