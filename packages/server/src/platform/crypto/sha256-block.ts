/**
 * The compression function of SHA-256 (FIPS 180-4, section 6.2). A call of OpenSSL through Node costs several
 * times as much as one block. Anything longer than a block uses `node:crypto`.
 */
const STATE_WORDS = 8
export const BLOCK_WORDS = 16
const ROUNDS = 64
const TWO_TO_32 = 2 ** 32

/** The first 32 bits of the fractional parts of roots of the first primes (sections 4.2.2 and 5.3.3). */
const PRIMES = firstPrimes(ROUNDS)
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)))
const INITIAL_STATE = Int32Array.from(PRIMES.slice(0, STATE_WORDS), (prime) => fractionOf(Math.sqrt(prime)))

/** The state before the first block. */
export const initialState = (): Int32Array => INITIAL_STATE.slice()

/** Creates the space for the 16 words of a block and the 48 derived from them. */
export const newSchedule = (): Int32Array => new Int32Array(ROUNDS)

/** Compresses the block in the first 16 words of the schedule into the state. */
export function compressBlock(state: Int32Array, schedule: Int32Array): void {
  for (let at = BLOCK_WORDS; at < ROUNDS; at += 1) {
    const early = word(schedule, at - 15)
    const late = word(schedule, at - 2)
    const small0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)
    const small1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10)
    schedule[at] = word(schedule, at - 16) + small0 + word(schedule, at - 7) + small1
  }
  let a = word(state, 0)
  let b = word(state, 1)
  let c = word(state, 2)
  let d = word(state, 3)
  let e = word(state, 4)
  let f = word(state, 5)
  let g = word(state, 6)
  let h = word(state, 7)
  for (let round = 0; round < ROUNDS; round += 1) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const first = (h + big1 + ((e & f) ^ (~e & g)) + word(ROUND_CONSTANTS, round) + word(schedule, round)) | 0
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0] = word(state, 0) + a
  state[1] = word(state, 1) + b
  state[2] = word(state, 2) + c
  state[3] = word(state, 3) + d
  state[4] = word(state, 4) + e
  state[5] = word(state, 5) + f
  state[6] = word(state, 6) + g
  state[7] = word(state, 7) + h
}

/** The compiler cannot prove that every index is in bounds. */
const word = (words: Int32Array, at: number): number => words[at] ?? 0

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

function fractionOf(root: number): number {
  return ((root - Math.floor(root)) * TWO_TO_32) | 0
}
