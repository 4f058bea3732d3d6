import { expect, test } from 'vitest'
import { joinLines, mayBeLines, splitLines } from '../../../src/parts/rules/value-lines.ts'

test('values that lines cannot express stay tags: an empty one, one twice, one with a line break', () => {
  expect(mayBeLines(['a', ' b ', 'c,d'])).toBe(true)
  expect(mayBeLines(['a', ''])).toBe(false)
  expect(mayBeLines(['a', 'a'])).toBe(false)
  expect(mayBeLines(['a\nb'])).toBe(false)
})

test('lines give back the values that they were made of', () => {
  const values = ['a', ' b ', 'c,d']

  expect(splitLines(joinLines(values))).toEqual(values)
  expect(splitLines('a\r\n\nb\na\n')).toEqual(['a', 'b'])
})
