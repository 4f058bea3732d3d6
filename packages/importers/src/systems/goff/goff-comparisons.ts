import type { Operator } from '@burgee/evaluation'
import { ignoringCase, matches, numericEqual } from '../../conditions.ts'
import { all, any, type Expression, isSet, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { tableOf } from '../../reading.ts'
import { compareOrder } from './goff-text-order.ts'
import type { Token } from './goff-tokens.ts'

export interface Comparison {
  readonly attribute: string
  readonly operator: string
}

const SAME = tableOf({ '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' })

/**
 * Translates a comparison with one value. The type of the value decides how both sides are compared. Without
 * the attribute no comparison holds, also not `ne`.
 */
export function compare(comparison: Comparison, value: Token): Expression {
  const { attribute } = comparison
  const operator = SAME[comparison.operator] ?? comparison.operator
  const typed = { attribute, operator }
  switch (value.kind) {
    case 'text':
      return compareText(typed, textOf(value))
    case 'int':
      return compareWhole(typed, BigInt(value.text))
    case 'double':
      return compareNumber(typed, String(Number(value.text)))
    case 'version':
      return compareVersion(typed, value.text)
    case 'boolean':
      return equality(typed, test(attribute, 'equals', [value.text]))
    case 'null':
      return equality(typed, not(isSet(attribute)))
    default:
      throw new Gap('query', 'The query compares with something that is no value.')
  }
}

/** The service leaves escapes as they are written. */
const textOf = ({ text }: Token) => text.slice(1, -1)

const unlike = (operator: string) =>
  new Gap('operator', `The operator ${JSON.stringify(operator.slice(0, 50))} does not compare such values.`)

/** A value of another type than the query's, no value included, equals nothing and differs from nothing. */
function equality({ attribute, operator }: Comparison, equal: Expression): Expression {
  if (operator === 'eq') return equal
  if (operator === 'ne') return all([isSet(attribute), not(equal)])
  throw unlike(operator)
}

const SIDES = tableOf<{ start: boolean; end: boolean }>({
  co: { start: false, end: false },
  sw: { start: true, end: false },
  ew: { start: false, end: true },
})

/** Texts are compared in any case. */
function compareText(comparison: Comparison, text: string): Expression {
  const { attribute, operator } = comparison
  const side = SIDES[operator]
  if (side) return text === '' ? isSet(attribute) : ignoringCase(attribute, { ...side, values: [text] })
  if (operator in ORDER) return compareOrder(attribute, operator, text)
  const hasCase = text.toLowerCase() !== text.toUpperCase()
  const equal = hasCase
    ? ignoringCase(attribute, { start: true, end: true, values: [text] })
    : test(attribute, 'equals', [text])
  return equality(comparison, equal)
}

const ORDER = tableOf<{ number: Operator; version: Operator }>({
  lt: { number: 'less_than', version: 'semver_less_than' },
  le: { number: 'less_than_or_equal', version: 'semver_less_than_or_equal' },
  gt: { number: 'greater_than', version: 'semver_greater_than' },
  ge: { number: 'greater_than_or_equal', version: 'semver_greater_than_or_equal' },
})

function compareNumber({ attribute, operator }: Comparison, value: string): Expression {
  const order = ORDER[operator]
  if (order) return test(attribute, order.number, [value])
  if (operator === 'eq') return numericEqual(attribute, [value])
  if (operator !== 'ne') throw unlike(operator)
  return any([test(attribute, 'less_than', [value]), test(attribute, 'greater_than', [value])])
}

/** A whole number is compared with the attribute without its fraction: 18.5 counts as 18, and -0.5 as 0. */
function compareWhole({ attribute, operator }: Comparison, value: bigint): Expression {
  const atLeast = (bound: bigint) =>
    bound > 0n
      ? test(attribute, 'greater_than_or_equal', [String(bound)])
      : test(attribute, 'greater_than', [String(bound - 1n)])
  const atMost = (bound: bigint) =>
    bound < 0n
      ? test(attribute, 'less_than_or_equal', [String(bound)])
      : test(attribute, 'less_than', [String(bound + 1n)])
  switch (operator) {
    case 'gt':
      return atLeast(value + 1n)
    case 'ge':
      return atLeast(value)
    case 'lt':
      return atMost(value - 1n)
    case 'le':
      return atMost(value)
    case 'eq':
      return all([atLeast(value), atMost(value)])
    case 'ne':
      return any([atMost(value - 1n), atLeast(value + 1n)])
    default:
      throw unlike(operator)
  }
}

/** The service reads whole versions only, without a prefix. */
function compareVersion({ attribute, operator }: Comparison, value: string): Expression {
  const isWhole = matches(attribute, ['^[0-9]+[.][0-9]+[.][0-9]+'])
  const is = (name: Operator) => all([test(attribute, name, [value]), isWhole])
  const order = ORDER[operator]
  if (order) return is(order.version)
  if (operator === 'eq') return is('semver_equal')
  if (operator !== 'ne') throw unlike(operator)
  return any([is('semver_less_than'), is('semver_greater_than')])
}

/** Translates `in`, which compares texts as they are written. */
export function isMember({ attribute, operator }: Comparison, values: readonly Token[]): Expression {
  if (operator !== 'in') throw unlike(operator)
  return values[0]?.kind === 'text'
    ? test(attribute, 'equals', values.map(textOf))
    : numericEqual(
        attribute,
        values.map(({ text }) => text),
      )
}
