/** The state of a hash after some bytes. Bytes that do not fill a 32-bit block yet are in `tail`. */
export interface Murmur3State {
  /** The state over the whole blocks seen so far. */
  readonly hash: number
  /** The bytes of the unfinished block, the first in the lowest 8 bits. */
  readonly tail: number
  /** The number of bits so far, those in `tail` included. */
  readonly bits: number
}

export const MURMUR3_START: Murmur3State = { hash: 0, tail: 0, bits: 0 }

/**
 * MurmurHash3 x86 32-bit, seed 0, of the UTF-8 bytes of a text (docs/reference/evaluation.md#rollout). It can
 * stop after a prefix and continue later, so a flag hashes `<flag key>:` once and an evaluation only the user
 * key. Lone surrogates count as U+FFFD.
 *
 * @param from The state after the text before this one.
 * @returns A signed 32-bit integer, which engines store without allocating; `>>> 0` gives the unsigned one.
 *   For a prefix, the state to continue from.
 */
export function murmur3(text: string, from: Murmur3State): number
export function murmur3(text: string, from: Murmur3State, isPrefix: true): Murmur3State
export function murmur3(text: string, from: Murmur3State, isPrefix?: true): number | Murmur3State {
  let { hash, tail, bits } = from
  for (let at = 0; at < text.length; ) {
    let word = text.charCodeAt(at++)
    let size = 8
    if (word > 127) {
      // UTF-8, the first byte lowest: six bits of the character to each byte that follows the first.
      let code = text.codePointAt(at - 1) ?? 0
      if (code > 0xffff) at++
      else if ((code & 0xf800) === 0xd800) code = 0xfffd
      let limit = 64
      for (word = 0; code >= limit; limit /= 2) {
        word = (word << 8) | 128 | (code & 63)
        code >>= 6
        size += 8
      }
      word = (word << 8) | (256 - 2 * limit) | code
    } else if (at + 2 < text.length) {
      // Four ASCII characters are one block: the common case takes one turn for four bytes.
      const second = text.charCodeAt(at)
      const third = text.charCodeAt(at + 1)
      const fourth = text.charCodeAt(at + 2)
      if ((second | third | fourth) < 128) {
        word |= (second << 8) | (third << 16) | (fourth << 24)
        size = 32
        at += 3
      }
    }
    // Shifts count by the lowest five bits, which are those that wait.
    tail |= word << bits
    const filled = bits + size
    if ((filled ^ bits) & 32) {
      hash ^= scramble(tail)
      hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
      // Keeps the bits that did not fit. Two shifts, because a shift by 32 would do nothing.
      tail = (word >>> 1) >>> ~bits
    }
    bits = filled
  }
  if (isPrefix) return { hash, tail, bits }
  // An empty tail scrambles to 0.
  hash ^= scramble(tail) ^ (bits >>> 3)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
