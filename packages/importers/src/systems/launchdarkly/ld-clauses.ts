import { type Operator, parseTime } from '@burgee/evaluation'
import { matches, numericEqual, USER_KEY } from '../../conditions.ts'
import { all, any, type Expression, inSegment, isSet, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { comparedTexts, type JsonObject, listOf, objectsOf, tableOf, textOf } from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'

const OPERATORS = tableOf<Operator>({
  in: 'equals',
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
  lessThan: 'less_than',
  lessThanOrEqual: 'less_than_or_equal',
  greaterThan: 'greater_than',
  greaterThanOrEqual: 'greater_than_or_equal',
  before: 'before',
  after: 'after',
  semVerEqual: 'semver_equal',
  semVerLessThan: 'semver_less_than',
  semVerGreaterThan: 'semver_greater_than',
})

/** Translates the clauses of a rule, which must all hold. */
export function clausesOf(rule: JsonObject, notes: FlagNotes, path: string): Expression {
  return all(
    objectsOf(rule.clauses).map((clause, index) => clauseOf(clause, notes, `${path}/clauses/${index}`)),
  )
}

function clauseOf(clause: JsonObject, notes: FlagNotes, path: string): Expression {
  const op = textOf(clause.op) ?? ''
  const values = listOf(clause.values)
  if (op === 'segmentMatch') {
    const found = any(comparedTexts(values).map(inSegment))
    return clause.negate === true ? not(found) : found
  }
  const attribute = attributeOf(clause.attribute, clause.contextKind, { notes, path })
  const holds = testOf(op, attribute, values)
  // A negated clause does not hold for a user without the attribute.
  return clause.negate === true ? all([isSet(attribute), not(holds)]) : holds
}

function testOf(op: string, attribute: string, given: readonly unknown[]): Expression {
  const values = given.filter((value) => fits(op, attribute, value))
  if (op === 'matches') return matches(attribute, comparedTexts(values))
  const operator = OPERATORS[op]
  if (!operator) throw new Gap('operator', `The operator ${JSON.stringify(op)} is unknown.`)
  if (op.startsWith('semVer')) return versionOf(attribute, operator, comparedTexts(values))
  if (op === 'before' || op === 'after') return test(attribute, operator, values.map(timeOf))
  if (op !== 'in') return test(attribute, operator, comparedTexts(values))
  const structured = values.some((value) => typeof value === 'object' && value !== null)
  if (structured) throw new Gap('structured_value', 'A clause compares with an object or a list.')
  // A number may be written in several ways in Burgee's texts, and is one number there.
  const numbers = values.filter((value) => typeof value === 'number' && !Number.isSafeInteger(value))
  const others = values.filter((value) => !numbers.includes(value))
  return any([
    test(attribute, 'equals', comparedTexts(others)),
    numbers.length > 0 ? numericEqual(attribute, comparedTexts(numbers)) : NEVER,
  ])
}

const NUMERIC = new Set(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'])

/** A value of another type than the operator compares matches no one. The key of a context is a text. */
function fits(op: string, attribute: string, value: unknown): boolean {
  if (op === 'in') return attribute !== USER_KEY || typeof value === 'string'
  if (NUMERIC.has(op)) return attribute !== USER_KEY && typeof value === 'number'
  if (op === 'before' || op === 'after') return !Number.isNaN(msOf(value))
  return typeof value === 'string'
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d\d*)?(Z|[-+]\d\d(:\d\d)?)/

/** Times are milliseconds since 1970, or texts with a zone. */
function msOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && DATE.test(value) ? Date.parse(value) : Number.NaN
}

/** Returns a time as it is written, unless Burgee would read another one. */
const timeOf = (value: unknown): string =>
  typeof value === 'string' && parseTime(value) === msOf(value) ? value : String(msOf(value))

/** LaunchDarkly reads no version with a `v` before it, and Burgee does. */
function versionOf(attribute: string, operator: Operator, values: readonly string[]): Expression {
  const versions = values.filter((value) => STARTS_WITH_DIGIT.test(value))
  if (versions.length === 0) return NEVER
  return all([matches(attribute, [STARTS_WITH_DIGIT.source]), test(attribute, operator, versions)])
}
const STARTS_WITH_DIGIT = /^\d/

interface Place {
  readonly notes: FlagNotes
  readonly path: string
}

/**
 * Returns the name of an attribute in Burgee: `$user_key` for the key, and `<kind>.<attribute>` for another
 * kind of context.
 */
export function attributeOf(attribute: unknown, contextKind: unknown, { notes, path }: Place): string {
  const reference = textOf(attribute) ?? 'key'
  const name = reference.startsWith('/') ? joinReference(reference.slice(1), { notes, path }) : reference
  const kind = textOf(contextKind) ?? 'user'
  if (name === 'kind') throw new Gap('kind_attribute', 'A clause compares the kind of the context.')
  if (kind === 'user') return name === 'key' ? USER_KEY : name
  notes.lower('approximated', {
    code: 'context_kind',
    path,
    message: `It reads a context of the kind ${kind}. Send its ${name} as the attribute ${kind}.${name}.`,
  })
  return `${kind}.${name}`
}

/** An attribute reference: parts of a path joined by slashes, with `~1` for a slash and `~0` for a tilde. */
function joinReference(reference: string, { notes, path }: Place): string {
  const parts = reference.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = parts.join('.')
  if (parts.length > 1)
    notes.lower('approximated', {
      code: 'nested_attribute',
      path,
      message: `It reads inside an object. Send the value as the attribute ${name}.`,
    })
  return name
}
