import type { Operator } from '@burgee/evaluation'
import { matches, numericEqual, USER_KEY } from '../../conditions.ts'
import {
  all,
  any,
  bounded,
  type Expression,
  hasText,
  inSegment,
  isSet,
  NEVER,
  not,
  test,
} from '../../expression.ts'
import { Gap } from '../../gap.ts'
import {
  comparedTexts,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectsOf,
  textOf,
} from '../../reading.ts'

/** Records that a condition is only nearly the same. */
export type Approximate = (code: string, message: string) => void

export interface CcContext {
  /** The segments of the file, in its order, with their keys in Burgee. */
  readonly segments: readonly CcSegment[]
  readonly approximate: Approximate
}

interface CcSegment {
  readonly key: string
  /** Builds the test for users outside. */
  readonly outside: (approximate: Approximate) => Expression
}

/** Translates the conditions of a rule, which must all hold. */
export function conditionsOf(conditions: unknown, context: CcContext): Expression {
  return all(
    objectsOf(conditions).map((condition) => {
      if (isObject(condition.u)) return userConditionOf(condition.u, context.approximate)
      if (isObject(condition.s)) return segmentConditionOf(condition.s, context)
      if (isObject(condition.p))
        throw new Gap('prerequisite', 'It depends on another setting. In Burgee only a whole flag does.')
      throw new Gap('malformed', 'A condition of it has an unknown form.')
    }),
  )
}

function segmentConditionOf(condition: JsonObject, { approximate, segments }: CcContext): Expression {
  const segment = segments[numberOf(condition.s) ?? -1]
  if (!segment) throw new Gap('malformed', 'It names a segment that is not in the file.')
  return condition.c === 1 ? segment.outside(approximate) : inSegment(segment.key)
}

/**
 * Builds the test for users outside a segment. The first of its conditions that fails must be one that could
 * be evaluated: otherwise a user is neither inside nor outside. Each condition is an alternative of its own.
 */
export function outsideOf(conditions: readonly JsonObject[], approximate: Approximate): Expression {
  bounded(conditions.length)
  const lists = conditions.find(({ c }) => LISTS.has(numberOf(c) ?? -1))
  if (lists) approximateLists(attributeOf(lists.a), approximate)
  const tests = conditions.map((condition) => ({
    condition,
    holds: userConditionOf(condition, approximate),
  }))
  return any(
    tests.map(({ condition, holds }, index) =>
      all([...tests.slice(0, index).map((earlier) => earlier.holds), canBeEvaluated(condition), not(holds)]),
    ),
  )
}

function canBeEvaluated({ a, c }: JsonObject): Expression {
  const attribute = attributeOf(a)
  const number = numberOf(c) ?? -1
  if (isVersionTest(number)) return matches(attribute, [ONLY_VERSIONS])
  if (LISTS.has(number)) return isSet(attribute)
  if (COMPARATORS[number]?.from !== 'd') return hasText(attribute)
  return any([test(attribute, 'less_than', ['0']), test(attribute, 'greater_than_or_equal', ['0'])])
}

export const attributeOf = (name: unknown): string => {
  const attribute = textOf(name) ?? ''
  return attribute === 'Identifier' ? USER_KEY : attribute
}

interface Comparator {
  /** The field of its value: a list of texts, a text, or a number. */
  readonly from: 'l' | 's' | 'd'
  readonly holds: (attribute: string, values: readonly string[]) => Expression
  readonly isNegated?: true
}

const texts = (operator: Operator) => (attribute: string, values: readonly string[]) =>
  test(attribute, operator, values)
/** ConfigCat trims versions and reads whole ones only. */
const ONLY_VERSIONS = String.raw`^\s*v?\d+\.\d+\.\d+`

function versionUnlike(attribute: string, values: readonly string[]): Expression {
  return all(
    values.map((value) =>
      any([test(attribute, 'semver_less_than', [value]), test(attribute, 'semver_greater_than', [value])]),
    ),
  )
}

const numberUnlike = (attribute: string, values: readonly string[]): Expression =>
  any([test(attribute, 'less_than', values), test(attribute, 'greater_than', values)])

/** The comparators of config JSON v6 by their number. The others compare hashes. */
const COMPARATORS: Readonly<Record<number, Comparator>> = {
  0: { from: 'l', holds: texts('equals') },
  1: { from: 'l', holds: texts('equals'), isNegated: true },
  2: { from: 'l', holds: texts('contains') },
  3: { from: 'l', holds: texts('contains'), isNegated: true },
  4: { from: 'l', holds: texts('semver_equal') },
  5: { from: 'l', holds: versionUnlike },
  6: { from: 's', holds: texts('semver_less_than') },
  7: { from: 's', holds: texts('semver_less_than_or_equal') },
  8: { from: 's', holds: texts('semver_greater_than') },
  9: { from: 's', holds: texts('semver_greater_than_or_equal') },
  10: { from: 'd', holds: numericEqual },
  11: { from: 'd', holds: numberUnlike },
  12: { from: 'd', holds: texts('less_than') },
  13: { from: 'd', holds: texts('less_than_or_equal') },
  14: { from: 'd', holds: texts('greater_than') },
  15: { from: 'd', holds: texts('greater_than_or_equal') },
  // Times are seconds since 1970, compared as numbers.
  18: { from: 'd', holds: texts('less_than') },
  19: { from: 'd', holds: texts('greater_than') },
  28: { from: 's', holds: texts('equals') },
  29: { from: 's', holds: texts('equals'), isNegated: true },
  30: { from: 'l', holds: texts('starts_with') },
  31: { from: 'l', holds: texts('starts_with'), isNegated: true },
  32: { from: 'l', holds: texts('ends_with') },
  33: { from: 'l', holds: texts('ends_with'), isNegated: true },
  34: { from: 'l', holds: texts('equals') },
  35: { from: 'l', holds: texts('equals'), isNegated: true },
}
/** They compare lists of texts. */
const LISTS: ReadonlySet<number> = new Set([34, 35])
const HASHED_FIRST = 16
const HASHED_LAST = 27
const VERSIONS_FIRST = 4
const VERSIONS_LAST = 9

/** A user without the attribute, or with the empty text, meets no condition, also no negative one. */
function userConditionOf(condition: JsonObject, approximate: Approximate): Expression {
  const attribute = attributeOf(condition.a)
  const number = numberOf(condition.c) ?? -1
  const comparator = COMPARATORS[number]
  if (!comparator) {
    if (number >= HASHED_FIRST && number <= HASHED_LAST)
      throw new Gap(
        'hashed',
        'It compares hashed values. Choose comparators with clear text in ConfigCat, and export again.',
      )
    throw new Gap('operator', `The comparator ${number} has no equal.`)
  }
  const given = comparator.from === 'l' ? listOf(condition.l) : [condition[comparator.from]]
  const values = comparedTexts(given)
  if (isVersionTest(number)) return versionOf(attribute, comparator, values)
  const holds = comparator.holds(attribute, values)
  const isGiven = LISTS.has(number) ? isSet(attribute) : hasText(attribute)
  if (comparator.isNegated && LISTS.has(number)) approximateLists(attribute, approximate)
  if (comparator.isNegated) return all([isGiven, not(holds)])
  // Each text contains the empty one.
  return values.includes('') ? all([isGiven, holds]) : holds
}

/** An empty list is absent in Burgee, and contains none of the values in ConfigCat. */
function approximateLists(attribute: string, approximate: Approximate): void {
  approximate(
    'empty_list',
    `A user whose ${attribute} is an empty list has none of the values there. In Burgee they are as a user without ${attribute}.`,
  )
}

const isVersionTest = (number: number) => number >= VERSIONS_FIRST && number <= VERSIONS_LAST

/** Empty values of a list are ignored; one that is no version makes the condition false. */
function versionOf(attribute: string, { from, holds }: Comparator, values: readonly string[]): Expression {
  const versions = values.map((value) => value.trim()).filter((value) => from === 's' || value !== '')
  if (!versions.every((value) => new RegExp(ONLY_VERSIONS).test(value))) return NEVER
  return all([matches(attribute, [ONLY_VERSIONS]), holds(attribute, versions)])
}
