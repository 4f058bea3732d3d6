import { deepEqual, type JsonValue } from '@burgee/evaluation'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from '../../../src/json/canonical-json.ts'

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, '', 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
})).value as fc.Arbitrary<JsonValue>

it('canonical JSON is equal for deeply equal values, and for no others', () => {
  fc.assert(
    fc.property(value, value, (left, right) => {
      expect(canonicalJson(left) === canonicalJson(right)).toBe(deepEqual(left, right))
    }),
    { numRuns: 1_000 },
  )
  expect(canonicalJson({ b: 1, a: [2] })).toBe('{"a":[2],"b":1}')
})

it('canonical JSON leaves out undefined fields, as JSON does', () => {
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
})
