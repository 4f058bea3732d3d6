/**
 * Fixed-point numbers of 600 decimal digits, as integers of 10^-600: slow, and exact beyond doubles, also
 * when series of large terms of both signs cancel.
 */
export const ONE = 10n ** 600n

/** Returns the exact value of a double. */
export function fromNumber(value: number): bigint {
  let denominator = 1n
  let rest = value
  while (!Number.isInteger(rest)) {
    rest *= 2
    denominator *= 2n
  }
  return (BigInt(rest) * ONE) / denominator
}

/** Rounds to 17 digits. */
export function toNumber(value: bigint): number {
  const digits = value.toString()
  const shift = Math.max(0, digits.length - 25)
  return Number(`${digits.slice(0, digits.length - shift)}e${shift - 600}`)
}

export const times = (one: bigint, other: bigint): bigint => (one * other) / ONE
export const over = (one: bigint, other: bigint): bigint => (one * ONE) / other

/** Computes the square root by Newton's method. */
export function squareRoot(value: bigint): bigint {
  if (value === 0n) return 0n
  const target = value * ONE
  let root = ONE > value ? ONE : value
  for (;;) {
    const better = (root + target / root) / 2n
    if (better >= root) return root
    root = better
  }
}

/** Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239). */
export const PI = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n))

function arctanOfInverse(n: bigint): bigint {
  let power = ONE / n
  let sum = power
  for (let k = 3n, sign = -1n; power !== 0n; k += 2n, sign = -sign) {
    power /= n * n
    sum += (sign * power) / k
  }
  return sum
}
