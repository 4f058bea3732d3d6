import { expect, it } from 'vitest'
import { formatValue, kindOf, parseValue } from '../../src/value-kind.ts'

it('each value has a kind, and its text gives the value again', () => {
  for (const [value, kind] of [
    [true, 'boolean'],
    ['text', 'string'],
    [0.5, 'number'],
    [null, 'json'],
    [{ a: [1, '"'] }, 'json'],
  ] as const) {
    expect([kindOf(value as never), parseValue(formatValue(value as never), kind)]).toEqual([kind, value])
  }
})

it('a text that is no value of its kind is refused with advice', () => {
  expect(() => parseValue('five', 'number')).toThrow('Enter a number')
  expect(() => parseValue('"5"', 'number')).toThrow('Enter a number')
  expect(() => parseValue('{"a": ', 'json')).toThrow('Enter JSON')
})
