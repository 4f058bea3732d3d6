import { assertValid, type Fields } from './assert-valid.ts'
import { compileCondition, readValues } from './compile-condition.ts'
import { addCost, type Costs, countCharacters, countElements, type Measure } from './cost.ts'
import { overlap, textsOf } from './list.ts'
import { compilePattern, SUBJECT_MAX_LENGTH } from './matcher/compile-pattern.ts'
import { isOperator, OPERATOR_TABLE } from './operators.ts'
import { compileOrdered, orderedKind } from './ordered-kind.ts'
import { createRun, derive, type Run } from './run.ts'
import { type Condition, testAttribute } from './test-attribute.ts'
import { parseTime } from './times.ts'
import { parseVersion } from './versions.ts'

/** The different elements of an array that patterns search. Later ones never match. */
const MAX_SEARCHED_ELEMENTS = 100

/** The kinds beyond numbers, and the steps of reading the elements as such. */
const VERSIONS = /* @__PURE__ */ orderedKind(parseVersion, true)
const TIMES = /* @__PURE__ */ orderedKind(parseTime, true)
const readVersions: Measure = (value, run) =>
  512 * countElements(value, run) + 64 * countCharacters(value, run)
const readTimes: Measure = (value, run) => 1024 * countElements(value, run)

/**
 * Compiles a condition with any operator (docs/reference/operators.md). A complement holds exactly when the
 * operator that it negates does not; with empty `values` neither holds.
 *
 * @returns A function that throws a RangeError past `MAX_ATTRIBUTE_ELEMENTS`.
 * @throws TypeError or PatternError when the condition is not valid.
 */
export function compileAnyCondition(condition: Fields, costs: Costs = new Map()): Condition {
  const { attribute, operator, values } = condition
  assertValid(isOperator(operator))
  const { kind, negates, test } = OPERATOR_TABLE[operator]
  if (negates) {
    const holds = compileAnyCondition({ ...condition, operator: negates }, costs)
    // Checked by compiling the positive operator; presence has no values.
    const isEmpty = kind !== 'presence' && (values as string[]).length === 0
    return (attributes, userKey, run) => !isEmpty && !holds(attributes, userKey, run)
  }
  if (kind === 'text' || kind === 'number') return compileCondition(condition, costs)
  assertValid(typeof attribute === 'string')
  if (kind === 'presence')
    return testAttribute(
      attribute,
      () => true,
      textsOf,
      (all) => all.length > 0,
    )
  const texts = readValues(values)
  if (kind === 'pattern') {
    const patterns = [...texts].map((text) => compilePattern(text))
    addCost(
      costs,
      attribute,
      countSearched,
      patterns.reduce((sum, { steps }) => sum + steps, 0),
    )
    const passes = (text: unknown) => patterns.some((isIn) => isIn(String(text)))
    return testAttribute(attribute, passes, searchedOf, (all) => all.some(passes))
  }
  // All tests of an attribute read its elements once.
  addCost(costs, attribute, countElements, 0).set(kind === 'time' ? readTimes : readVersions, 1)
  if (test) return compileOrdered(attribute, texts, kind === 'time' ? TIMES : VERSIONS, test)
  const versions = versionsOf([...texts], createRun())
  return testAttribute(
    attribute,
    (value, run) => versions.has(VERSIONS.parse(value, run)),
    versionsOf,
    (all) => overlap(versions, all),
  )
}

function versionsOf(value: unknown, run: Run): ReadonlySet<unknown> {
  const versions = new Set(textsOf(value, run).map(parseVersion))
  versions.delete(Number.NaN)
  return versions
}

function searchedOf(value: unknown, run: Run): readonly string[] {
  const found = new Set<string>()
  for (const text of textsOf(value, run)) if (found.add(text).size === MAX_SEARCHED_ELEMENTS) break
  return [...found]
}

/** Counts the characters that patterns search. A text twice as long as they allow counts one. */
const countSearched: Measure = (value, run) =>
  derive(run, value, searchedOf).reduce(
    (sum, { length }) => sum + (length > 2 * SUBJECT_MAX_LENGTH ? 1 : length + 1),
    0,
  )
