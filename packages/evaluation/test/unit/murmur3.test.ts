import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MURMUR3_START, murmur3 } from '../../src/murmur3.ts'
import { referenceMurmur3 } from './reference/reference-murmur3.ts'

const hash = (text: string, prefix = '') => murmur3(text, murmur3(prefix, MURMUR3_START, true)) >>> 0

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aé字😀'),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  ),
})

describe('MurmurHash3 x86 32-bit', () => {
  // Values published with other implementations of the algorithm, seed 0.
  test.each([
    ['', 0],
    ['a', 0x3c2569b2],
    ['abc', 0xb3dd93fa],
    ['test', 0xba6bd213],
    ['hello', 0x248bfa47],
    ['hello, world', 0x149bbb7f],
    ['Hello, world!', 0xc0363e43],
    ['19 Jan 2038 at 3:14:07 AM', 0xe31e8a70],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
    ['The quick brown fox jumps over the lazy dog.', 0xd5c48bfc],
  ])('murmur3 of %j is the published value', (text, expected) => {
    expect(hash(text)).toBe(expected)
    expect(referenceMurmur3(text)).toBe(expected)
  })

  test('murmur3 hashes the UTF-8 bytes of any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(hash(text)).toBe(referenceMurmur3(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('murmur3 continues from any prefix as if the whole had been hashed', () => {
    fc.assert(
      fc.property(anyText, fc.string({ unit: 'binary' }), (prefix, text) => {
        fc.pre(!/[\ud800-\udbff]$/.test(prefix))
        expect(hash(text, prefix)).toBe(referenceMurmur3(prefix + text))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['\ud800', '\ufffd'],
    ['\udfff', '\ufffd'],
    ['a\ud83d', 'a\ufffd'],
    ['\ude00b', '\ufffdb'],
    ['\ud83d\ud83d\ude00', '\ufffd😀'],
  ])('murmur3 takes a lone surrogate in %j for U+FFFD', (lone, replaced) => {
    expect(hash(lone)).toBe(hash(replaced))
  })

  test('murmur3 does not change the state of a prefix', () => {
    const prefix = murmur3('flag:', MURMUR3_START, true)
    const first = murmur3('ann', prefix)
    murmur3('ben', prefix)
    expect(murmur3('ann', prefix)).toBe(first)
  })
})
