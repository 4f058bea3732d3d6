import type { JsonValue } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { diffJson } from '../../../src/kernel/diff-json.ts'

const parse = (text: string): JsonValue => JSON.parse(text)
const diff = (before: string, after: string) =>
  diffJson(parse(before), parse(after)).map(({ path, before, after }) => [path, before, after])

describe('differences have the JSON pointer of their place', () => {
  it.each([
    ['the whole', '1', '2', [['', 1, 2]]],
    ['a field', '{"a":1,"b":2}', '{"a":1,"b":3}', [['/b', 2, 3]]],
    ['a field within a field', '{"a":{"b":{"c":1}}}', '{"a":{"b":{"c":2}}}', [['/a/b/c', 1, 2]]],
    ['an item of an array', '{"a":[1,2,3]}', '{"a":[1,9,3]}', [['/a/1', 2, 9]]],
    ['a field of an item', '[{"x":1},{"x":2}]', '[{"x":1},{"x":3}]', [['/1/x', 2, 3]]],
    ['slashes and tildes in a name', '{"a/b":{"c~d":1}}', '{"a/b":{"c~d":2}}', [['/a~1b/c~0d', 1, 2]]],
    ['an empty name', '{"":1}', '{"":2}', [['/', 1, 2]]],
    [
      '__proto__, which is a name like any other',
      '{"__proto__":{"a":1}}',
      '{"__proto__":{"a":2}}',
      [['/__proto__/a', 1, 2]],
    ],
  ] as [string, string, string, unknown[]][])(
    'the difference has a pointer: %s',
    (_name, before, after, expected) => {
      expect(diff(before, after)).toEqual(expected)
    },
  )
})

describe('differences as a whole', () => {
  it.each([
    ['between arrays of different lengths', '{"a":[1,2]}', '{"a":[0,1,2]}', [['/a', [1, 2], [0, 1, 2]]]],
    ['between an array and an object', '{"a":[]}', '{"a":{}}', [['/a', [], {}]]],
    ['between a value and an object', '{"a":"x"}', '{"a":{"b":1}}', [['/a', 'x', { b: 1 }]]],
    ['between null and a value', '{"a":null}', '{"a":0}', [['/a', null, 0]]],
    ['between a number and its text', '{"a":1}', '{"a":"1"}', [['/a', 1, '1']]],
  ] as [string, string, string, unknown[]][])(
    'the value differs as a whole: %s',
    (_name, before, after, expected) => {
      expect(diff(before, after)).toEqual(expected)
    },
  )
})

describe('a field that is missing on one side', () => {
  it('a missing field is null in the difference', () => {
    expect(diff('{"a":1}', '{"b":2}')).toEqual([
      ['/a', 1, null],
      ['/b', null, 2],
    ])
  })

  it('a missing field differs from null, which is a value', () => {
    expect(diff('{}', '{"a":null}')).toEqual([['/a', null, null]])
  })

  it('a missing field is not read from a prototype', () => {
    expect(diff('{"constructor":1,"toString":2}', '{}')).toEqual([
      ['/constructor', 1, null],
      ['/toString', 2, null],
    ])
    expect(diff('{}', '{"__proto__":1}')).toEqual([['/__proto__', null, 1]])
  })
})

it.each(['null', '0', '""', '[]', '{}', '{"a":[{"b":null}],"c":"x"}'])(
  '%s does not differ from itself',
  (text) => {
    expect(diff(text, text)).toEqual([])
  },
)

it('the order of fields does not matter in a comparison', () => {
  expect(diff('{"a":1,"b":[{"c":1,"d":2}]}', '{"b":[{"d":2,"c":1}],"a":1}')).toEqual([])
})
