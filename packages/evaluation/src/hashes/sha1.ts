import { utf8 } from './utf8.ts'

/** The first bits of the roots of 2, 3, 5 and 10, as RFC 3174 has them. */
const ROUND_CONSTANTS = /* @__PURE__ */ Int32Array.of(0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6)
const START = /* @__PURE__ */ Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
/** The words of a hash and of a block. What is in them does not outlive a call. */
const state = /* @__PURE__ */ new Int32Array(5)
const words = /* @__PURE__ */ new Int32Array(80)

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))
const word = (at: number) => words[at] as number

/**
 * SHA-1 of the UTF-8 of a text (RFC 3174). It places users and secures nothing.
 *
 * @returns The five words, which the next call replaces.
 */
export function sha1(text: string): Int32Array {
  // The padding: one bit, zeros, and the length in the last word of a block.
  const bytes = `${utf8(text)}\x80`
  const { length } = bytes
  state.set(START)
  for (let start = 0; start < length + 8; start += 64) {
    words.fill(0)
    for (let at = start; at < length && at < start + 64; at++)
      words[(at & 63) >> 2] = word((at & 63) >> 2) | (bytes.charCodeAt(at) << (24 - (at & 3) * 8))
    if (start + 56 >= length) words[15] = (length - 1) * 8
    addBlock()
  }
  return state
}

function addBlock(): void {
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  for (let at = 0; at < 80; at++) {
    if (at > 15) words[at] = rotate(word(at - 3) ^ word(at - 8) ^ word(at - 14) ^ word(at - 16), 1)
    const round = (at / 20) | 0
    const mixed = round === 0 ? (b & c) | (~b & d) : round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d
    const next = (rotate(a, 5) + mixed + e + (ROUND_CONSTANTS[round] as number) + word(at)) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = next
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
}
