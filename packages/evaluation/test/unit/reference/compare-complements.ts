import fc from 'fast-check'
import { expect } from 'vitest'
import { compileAnyCondition } from '../../../src/compile-any-condition.ts'
import { complementOf, OPERATORS, operatorKind } from '../../../src/index.ts'

const text = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  '10',
  '9.5',
  'true',
  '1.2.3',
  '1.2',
  'v2.0.0-rc.1',
  '2026-01-02T03:04:05Z',
  '0',
  'é',
)
const scalar = fc.oneof(
  text,
  fc.integer({ min: -5, max: 20 }),
  fc.boolean(),
  fc.constantFrom(null, undefined, Number.NaN, {}),
)
const attribute = fc.oneof(
  scalar,
  fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 3 }),
)
const given = fc.oneof(
  attribute.map((it) => ({ it })),
  fc.constant({}),
)
const operator = fc.constantFrom(...OPERATORS.filter((name) => complementOf(name) !== null))

/** Compares each operator with its complement. With empty `values` neither may hold, presence aside. */
export function compareComplements(numRuns: number): void {
  fc.assert(
    fc.property(operator, fc.array(text, { maxLength: 3 }), given, (name, values, attributes) => {
      const holds = (each: unknown) =>
        compileAnyCondition({ attribute: 'it', operator: each, values })(attributes, null)
      const isEmpty = values.length === 0 && operatorKind(name) !== 'presence'
      expect(holds(complementOf(name))).toBe(!isEmpty && !holds(name))
    }),
    { numRuns },
  )
}
