import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fnv1a } from '../../src/hashes/fnv1a.ts'
import { sha1 } from '../../src/hashes/sha1.ts'

const hex = (text: string): string =>
  [...sha1(text)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')

test.each([
  ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
])('SHA-1 of %j is that of RFC 3174', (text, expected) => {
  expect(hex(text)).toBe(expected)
})

test('SHA-1 is that of Node for every length around a block, also beyond ASCII', () => {
  for (let length = 0; length < 140; length++) {
    for (const text of ['x'.repeat(length), `é字😀\ud800${'a'.repeat(length)}`]) {
      expect(hex(text)).toBe(createHash('sha1').update(text, 'utf8').digest('hex'))
    }
  }
})

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('FNV-1a of %j is that of its authors', (text, expected) => {
  expect(fnv1a(text)).toBe(expected)
})
