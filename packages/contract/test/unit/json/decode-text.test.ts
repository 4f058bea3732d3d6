import { expect, test } from 'vitest'
import { decodeText } from '../../../src/index.ts'

const TEXT = '{"name": "Café"}\r\n'

test('UTF-8 and UTF-16 are read with and without a byte order mark', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  const files = [
    ...[Buffer.from(TEXT), Buffer.from(`\uFEFF${TEXT}`)],
    ...[utf16(TEXT), utf16(`\uFEFF${TEXT}`), utf16(TEXT).swap16(), utf16(`\uFEFF${TEXT}`).swap16()],
  ]
  expect(files.map((bytes) => decodeText(bytes))).toEqual(files.map(() => TEXT))
  expect(decodeText(new Uint8Array())).toBe('')
})

test('bytes that are no text are refused with their line', () => {
  expect(() => decodeText(Buffer.from('{\n  "a": 1,\n  "b": "Caf\u00e9"\n}', 'latin1'))).toThrow('line 3')
  expect(() => decodeText(Buffer.from([0xff]))).toThrow('line 1')
  expect(() => decodeText(Buffer.from([0x61, 0x0a, 0xe2, 0x82]))).toThrow('line 2')
  expect(() => decodeText(Buffer.from([0xff, 0xfe, 0x00]))).toThrow('UTF-16')
  expect(decodeText(Buffer.from('\uFFFD'))).toBe('\uFFFD')
})
