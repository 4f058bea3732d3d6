import { expect, test } from 'vitest'
import { RESPONSE_MAX_BYTES, toStoredText } from '../../../../src/platform/outbound/to-stored-text.ts'

const bytes = (text: string) => Buffer.from(text)
const size = (text: string) => Buffer.byteLength(text)

test('text stays as it is, a byte order mark included', () => {
  for (const text of ['', 'ok', 'Grüße 👋', '\u{feff}{}']) {
    expect(toStoredText(bytes(text), { is_cut: false })).toBe(text)
  }
})

test('NUL and bytes that are no UTF-8 become U+FFFD', () => {
  expect(toStoredText(Buffer.from([0x61, 0, 0xff, 0x62]), { is_cut: false })).toBe('a\u{fffd}\u{fffd}b')
  expect(toStoredText(bytes('é').subarray(0, 1), { is_cut: false })).toBe('\u{fffd}')
})

test('a cut falls between two characters', () => {
  for (const pad of ['', 'a', 'aa', 'aaa']) {
    const whole = bytes(pad + '👋'.repeat(2_000))
    const text = toStoredText(whole.subarray(0, RESPONSE_MAX_BYTES), { is_cut: true })
    expect(text).toMatch(/^a*(?:👋)+$/u)
    expect(size(text)).toBeGreaterThan(RESPONSE_MAX_BYTES - 4)
  }
})

test('what grows by replacing is kept to 4 KiB as well', () => {
  for (const byte of [0, 0xff]) {
    const text = toStoredText(Buffer.alloc(RESPONSE_MAX_BYTES, byte), { is_cut: false })
    expect(text).toBe('\u{fffd}'.repeat(Math.floor(RESPONSE_MAX_BYTES / 3)))
  }
})
