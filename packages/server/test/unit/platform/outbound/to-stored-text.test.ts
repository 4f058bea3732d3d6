import { expect, test } from 'vitest'
import {
  firstCharacters,
  RESPONSE_MAX_CHARACTERS,
  toStoredText,
} from '../../../../src/platform/outbound/to-stored-text.ts'

const bytes = (text: string) => Buffer.from(text)

test('a stored response is unchanged, with a byte order mark', () => {
  for (const text of ['', 'ok', 'Grüße 👋', '\u{feff}{}']) {
    expect(toStoredText(bytes(text), { isCut: false })).toBe(text)
  }
})

test('NUL and invalid UTF-8 in a stored response become U+FFFD', () => {
  expect(toStoredText(Buffer.from([0x61, 0, 0xff, 0x62]), { isCut: false })).toBe('a\u{fffd}\u{fffd}b')
  expect(toStoredText(bytes('é').subarray(0, 1), { isCut: false })).toBe('\u{fffd}')
})

test('a stored response is cut between two characters', () => {
  for (const pad of ['', 'a', 'aa', 'aaa']) {
    const bytesOfMore = bytes(pad + '👋'.repeat(2_000)).subarray(0, RESPONSE_MAX_CHARACTERS * 4)
    const text = toStoredText(bytesOfMore, { isCut: true })
    expect(text).toMatch(/^a*(?:👋)+$/u)
    expect([...text].length).toBeGreaterThanOrEqual(RESPONSE_MAX_CHARACTERS - 1)
  }
})

test('a stored response has at most 500 characters', () => {
  for (const byte of [0, 0xff, 0x61]) {
    const text = toStoredText(Buffer.alloc(4_000, byte), { isCut: false })
    expect([...text]).toHaveLength(500)
  }
  expect(firstCharacters('👋👋a', 2)).toBe('👋👋')
})
