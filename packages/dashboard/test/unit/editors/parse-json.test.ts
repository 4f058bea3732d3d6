import { expect, test } from 'vitest'
import { describeMistake, parseJson } from '../../../src/shared/editors/parse-json.ts'

const mistakeIn = (text: string): string => {
  const parsed = parseJson(text)
  return parsed.isValid ? 'none' : describeMistake(parsed.mistake)
}

test('valid JSON is read', () => {
  expect(parseJson(' {"a": [1, "x\\n", null]} ')).toEqual({ isValid: true, value: { a: [1, 'x\n', null] } })
})

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 'Line 3, column 3: a comma is missing.'],
  ['{"a": 1,}', 'Line 1, column 9: the comma before is one too many.'],
  ['[1,]', 'Line 1, column 4: a value is missing, or the comma before is one too many.'],
  ['{a: 1}', 'Line 1, column 2: a field needs a name in double quotes (").'],
  ['{"a" 1}', 'Line 1, column 6: a colon (:) is missing after the name of the field.'],
  ['{"a": 1', 'Line 1, column 8: the closing } is missing.'],
  ["['x']", 'Line 1, column 2: texts stand in double quotes ("), not in single ones (\').'],
  ['{"a": yes}', 'Line 1, column 7: yes needs double quotes, or is no value.'],
  ['01', 'Line 1, column 1: 01 is no number.'],
  ['"abc', 'Line 1, column 5: the text has no closing quote.'],
  ['"\\x"', 'Line 1, column 2: a backslash in a text must be written \\\\.'],
  ['1 2', 'Line 1, column 3: there is something behind the end of the value.'],
  ['// no\n1', 'Line 1, column 1: JSON has no comments.'],
  ['', 'Line 1, column 1: a value is missing.'],
])('the mistake in %j is named with its place', (text, expected) => {
  expect(mistakeIn(text)).toBe(expected)
})

test('deep nesting is refused without breaking', () => {
  expect(mistakeIn('['.repeat(100_000))).toContain('Line 1')
})
