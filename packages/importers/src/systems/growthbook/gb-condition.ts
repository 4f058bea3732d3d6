import { compilePattern, type Operator } from '@burgee/evaluation'
import { matches, numericEqual } from '../../conditions.ts'
import { ALWAYS, all, any, type Expression, inSegment, isSet, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { comparedTexts, isObject, type JsonObject, listOf, objectsOf } from '../../reading.ts'

export interface GbContext {
  /** Returns the name of an attribute in Burgee. */
  readonly attribute: (name: string) => string
  /** Returns the key of a segment for a saved group, compared with this attribute. */
  readonly group: (id: string, attribute: string) => string
  /** Records that a condition is only nearly the same. */
  readonly approximate: (code: string, message: string) => void
}

/** Translates a condition in the style of MongoDB. */
export function conditionOf(condition: unknown, context: GbContext): Expression {
  return all(
    Object.entries(isObject(condition) ? condition : {}).map(([name, value]) => {
      const each = () => objectsOf(value).map((one) => conditionOf(one, context))
      if (name === '$or') return listOf(value).length === 0 ? ALWAYS : any(each())
      if (name === '$nor') return not(listOf(value).length === 0 ? ALWAYS : any(each()))
      if (name === '$and') return all(each())
      if (name === '$not') return not(conditionOf(value, context))
      return comparedWith(context.attribute(name), value, context)
    }),
  )
}

/** Translates what one attribute is compared with: a value, or an object of operators. */
function comparedWith(attribute: string, value: unknown, context: GbContext): Expression {
  if (isObject(value) && Object.keys(value).every((name) => name.startsWith('$')))
    return all(Object.entries(value).map(([operator, one]) => operatorOf(attribute, operator, one, context)))
  const holds = equalityOf(attribute, value)
  // A missing attribute counts as 0 here, and not in `$eq`.
  return value === 0 ? any([holds, not(isSet(attribute))]) : holds
}

function equalityOf(attribute: string, value: unknown): Expression {
  if (value === null) return not(isSet(attribute))
  if (typeof value === 'number') return numericEqual(attribute, [String(value)])
  if (typeof value !== 'string' && typeof value !== 'boolean')
    throw new Gap('structured_value', `${attribute} is compared with an object or a list.`)
  return test(attribute, 'equals', [String(value)])
}

const ORDER: Readonly<Record<string, Operator>> = {
  $gt: 'greater_than',
  $gte: 'greater_than_or_equal',
  $lt: 'less_than',
  $lte: 'less_than_or_equal',
}
const VERSIONS: Readonly<Record<string, Operator>> = {
  $veq: 'semver_equal',
  $vgt: 'semver_greater_than',
  $vgte: 'semver_greater_than_or_equal',
  $vlt: 'semver_less_than',
  $vlte: 'semver_less_than_or_equal',
}

function operatorOf(attribute: string, operator: string, value: unknown, context: GbContext): Expression {
  if (operator in VERSIONS || operator === '$vne') return versionOf(attribute, operator, value, context)
  if (operator in ORDER) return orderOf(attribute, operator, value)
  switch (operator) {
    case '$eq':
      return equalityOf(attribute, value)
    case '$ne':
      return not(equalityOf(attribute, value))
    // Neither holds where the value is no list.
    case '$in':
      return Array.isArray(value) ? amongOf(attribute, value) : NEVER
    case '$nin':
      return Array.isArray(value) ? not(amongOf(attribute, value)) : NEVER
    case '$exists':
      return value ? isSet(attribute) : not(isSet(attribute))
    case '$not':
      return not(comparedWith(attribute, value, context))
    case '$all':
      return all(listOf(value).map((one) => equalityOf(attribute, one)))
    case '$regex':
    case '$regexi':
      return patternOf(
        attribute,
        comparedTexts([value]).map((text) => (operator === '$regexi' ? `(?i)${text}` : text)),
      )
    case '$inGroup':
    case '$notInGroup': {
      const member = inSegment(context.group(String(value), attribute))
      return operator === '$inGroup' ? member : not(member)
    }
    case '$elemMatch':
      return elementOf(attribute, value, context)
    default:
      throw new Gap('operator', `The operator ${operator} has no equal.`)
  }
}

/** An absent attribute and an empty text count as the version 0, which is before each whole version. */
function versionOf(attribute: string, operator: string, value: unknown, context: GbContext): Expression {
  if (typeof value !== 'string' || !WHOLE_VERSION.test(value))
    context.approximate(
      'version',
      `${attribute} is ordered by ${JSON.stringify(value)}, which is no whole version.`,
    )
  const texts = comparedTexts([value])
  if (operator === '$vne') return not(versionOf(attribute, '$veq', value, context))
  const holds = test(attribute, VERSIONS[operator] ?? 'semver_equal', texts)
  const partial = texts.flatMap(beginningsOf)
  if (operator.startsWith('$vl'))
    return any([holds, test(attribute, 'equals', ['', ...partial]), not(isSet(attribute))])
  return all([holds, not(test(attribute, 'equals', partial))])
}

/** Returns the partial versions that Burgee reads as this one and GrowthBook orders before it: `2.1`. */
function beginningsOf(version: string): readonly string[] {
  const [, minor, major] = /^v?((\d+)\.\d+)\.0(?:[-+]|$)/.exec(version) ?? []
  if (minor === undefined || major === undefined) return []
  const partial = minor === `${major}.0` ? [minor, major] : [minor]
  return partial.flatMap((text) => [text, `v${text}`])
}
const WHOLE_VERSION = /^v?\d+\.\d+\.\d+(?:[-+]|$)/

/** Patterns search an absent attribute as the text `null`. */
function patternOf(attribute: string, patterns: readonly string[]): Expression {
  const holds = matches(attribute, patterns)
  const isFoundInNull = patterns.some((pattern) => compilePattern(pattern)('null'))
  return isFoundInNull ? any([holds, not(isSet(attribute))]) : holds
}

function amongOf(attribute: string, values: unknown): Expression {
  const list = listOf(values)
  const texts = comparedTexts(list)
  if (texts.length < list.filter((value) => value !== null).length)
    throw new Gap('structured_value', `${attribute} is compared with objects or lists.`)
  const among = test(attribute, 'equals', texts)
  return list.includes(null) ? any([among, not(isSet(attribute))]) : among
}

/** An absent attribute counts as 0. */
function orderOf(attribute: string, operator: string, value: unknown): Expression {
  if (typeof value !== 'number') throw new Gap('text_order', `${attribute} is ordered as a text.`)
  const holds = test(attribute, ORDER[operator] ?? 'greater_than', [String(value)])
  const forZero = { $gt: 0 > value, $gte: 0 >= value, $lt: 0 < value, $lte: 0 <= value }[operator]
  return forZero ? any([holds, not(isSet(attribute))]) : holds
}

const POSITIVE = new Set([
  '$eq',
  '$in',
  '$regex',
  '$regexi',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  ...Object.keys(VERSIONS),
])

/** An element of a list: Burgee asks whether any element does, for one positive operator. */
function elementOf(attribute: string, value: unknown, context: GbContext): Expression {
  const operators = Object.keys(isObject(value) ? (value as JsonObject) : {})
  if (isObject(value) && operators.length === 1 && operators.every((name) => POSITIVE.has(name)))
    return all([isSet(attribute), comparedWith(attribute, value, context)])
  if (typeof value === 'string' || typeof value === 'number') return equalityOf(attribute, value)
  throw new Gap('element', `Elements of ${attribute} must meet several conditions, or a negative one.`)
}
