import { assertValid, type Fields } from './assert-valid.ts'
import {
  type Condition,
  compileCondition,
  passesAnyOf,
  readTexts,
  testAttribute,
} from './compile-condition.ts'
import { compilePattern } from './matcher/compile-pattern.ts'
import { isOperator, OPERATOR_TABLE } from './operators.ts'
import { parseTime } from './times.ts'
import { parseVersion } from './versions.ts'

/** The different elements of an array that patterns search. Later ones never match. */
const MAX_SEARCHED_ELEMENTS = 100

/**
 * Compiles a condition with any operator (docs/reference/operators.md). A complement holds exactly when the
 * operator that it negates does not; with empty `values` neither holds.
 *
 * @returns A function that throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError or PatternError when the condition is not valid.
 */
export function compileAnyCondition(condition: Fields): Condition {
  const { attribute, operator, values } = condition
  assertValid(isOperator(operator))
  const { kind, negates, test } = OPERATOR_TABLE[operator]
  if (negates) {
    const holds = compileAnyCondition({ ...condition, operator: negates })
    // Checked by compiling the positive operator; presence has no values.
    const isEmpty = kind !== 'presence' && (values as string[]).length === 0
    return (attributes, userKey) => !isEmpty && !holds(attributes, userKey)
  }
  if (kind === 'presence') return testAttribute(attribute, () => true)
  if (kind === 'version' || kind === 'time')
    return testAttribute(
      attribute,
      passesAnyOf(readTexts(values), kind === 'time' ? parseTime : parseVersion, test),
    )
  if (kind !== 'pattern') return compileCondition(condition)
  const patterns = [...readTexts(values)].map(compilePattern)
  return testAttribute(
    attribute,
    (value) => patterns.some((contains) => contains(String(value))),
    undefined,
    MAX_SEARCHED_ELEMENTS,
  )
}
