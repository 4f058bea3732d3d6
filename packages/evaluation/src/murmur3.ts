/**
 * MurmurHash3 x86 32-bit, seed 0, over the UTF-8 bytes of a text (specification, "Flag evaluation", step 5).
 * It can stop after a prefix and go on later, so a flag hashes `<flag key>:` once and a user costs only the user key.
 */

/** Where the hash stands after some bytes. The bytes that do not fill a 32-bit block yet wait in `tail`. */
export interface Murmur3State {
  /** The state over the whole blocks seen so far. */
  hash: number
  /** Waiting bytes, the first in the lowest 8 bits. */
  tail: number
  /** How many bits of `tail` are in use: 0, 8, 16 or 24. */
  tailBits: number
  /** Bytes seen so far, the waiting ones included. */
  length: number
}

/** The state after `prefix`, to be continued any number of times. */
export function startMurmur3(prefix: string): Murmur3State {
  const state: Murmur3State = { hash: 0, tail: 0, tailBits: 0, length: 0 }
  absorb(state, prefix, state)
  return state
}

/**
 * The hash of the prefix followed by `text`, as a signed 32-bit integer: `>>> 0` gives the usual unsigned one.
 * (Signed, because an engine keeps those without allocating.) Lone surrogates count as U+FFFD.
 */
export function continueMurmur3(state: Readonly<Murmur3State>, text: string): number {
  return absorb(state, text, null)
}

/** Adds `text` to `from`. With `into`, leaves the unfinished state there; without, returns the finished hash. */
function absorb(from: Readonly<Murmur3State>, text: string, into: Murmur3State | null): number {
  let { hash, tail, tailBits, length } = from
  const end = text.length
  for (let at = 0; at < end; ) {
    let word = text.charCodeAt(at++)
    let bits = 8
    if (word > 0x7f) {
      // UTF-8, the first byte lowest: six bits of the character to each byte that follows the first.
      let code = text.codePointAt(at - 1) ?? 0
      if (code > 0xffff) at++
      else if ((code & 0xf800) === 0xd800) code = 0xfffd
      const following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
      word = 0
      for (; bits <= following * 8; bits += 8) {
        word = (word << 8) | 0x80 | (code & 0x3f)
        code >>= 6
      }
      word = (word << 8) | ((0xff << (7 - following)) & 0xff) | code
    } else if (at + 2 < end) {
      // Four ASCII characters are one block: the common case takes one turn for four bytes.
      const second = text.charCodeAt(at)
      const third = text.charCodeAt(at + 1)
      const fourth = text.charCodeAt(at + 2)
      if ((second | third | fourth) <= 0x7f) {
        word |= (second << 8) | (third << 16) | (fourth << 24)
        bits = 32
        at += 3
      }
    }
    length += bits >> 3
    tail |= word << tailBits
    const filled = tailBits + bits
    if (filled < 32) {
      tailBits = filled
      continue
    }
    hash ^= scramble(tail)
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
    // What did not fit. Two shifts, because a shift by 32 would do nothing.
    tail = (word >>> 1) >>> (31 - tailBits)
    tailBits = filled - 32
  }
  if (into !== null) {
    into.hash = hash
    into.tail = tail
    into.tailBits = tailBits
    into.length = length
    return 0
  }
  // An empty tail scrambles to 0.
  hash ^= scramble(tail) ^ length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
