import { utf8 } from './utf8.ts'

/** The first bits of the roots of these numbers, as RFC 3174 writes them out. */
const ROUND_CONSTANTS = [2, 3, 5, 10].map((number) => (Math.sqrt(number) * 2 ** 30) | 0)
const START = [0x67452301, 0xefcdab89, ~0x67452301, ~0xefcdab89, 0xc3d2e1f0]

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))

/** SHA-1 of the UTF-8 of a text, in hexadecimal (RFC 3174). It places users and secures nothing. */
export function sha1(text: string): string {
  // The padding: one bit, zeros, and the length in the last word of a block.
  const bytes = `${utf8(text)}\x80`
  const words = new Int32Array((((bytes.length + 7) >> 6) + 1) * 16)
  for (let at = 0; at < bytes.length; at++) {
    words[at >> 2] = (words[at >> 2] as number) | (bytes.charCodeAt(at) << (24 - (at & 3) * 8))
  }
  words[words.length - 1] = (bytes.length - 1) * 8
  const state = Int32Array.from(START)
  const schedule = new Int32Array(80)
  const word = (at: number) => schedule[at] as number
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number]
    for (let at = 0; at < 80; at++) {
      schedule[at] =
        at < 16
          ? (words[block + at] as number)
          : rotate(word(at - 3) ^ word(at - 8) ^ word(at - 14) ^ word(at - 16), 1)
      const round = Math.floor(at / 20)
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d
      const next = (rotate(a, 5) + mixed + e + (ROUND_CONSTANTS[round] as number) + word(at)) | 0
      e = d
      d = c
      c = rotate(b, 30)
      b = a
      a = next
    }
    for (const [index, value] of [a, b, c, d, e].entries()) state[index] = (state[index] as number) + value
  }
  return [...state].map((each) => (each >>> 0).toString(16).padStart(8, '0')).join('')
}
