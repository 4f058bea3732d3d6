import { compilePattern, type Operator } from '@burgee/evaluation'
import { ignoringCase, matches, numericEqual } from '../../conditions.ts'
import { ALWAYS, all, any, type Expression, inSegment, isSet, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import {
  comparedTexts,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  tableOf,
  textForm,
} from '../../reading.ts'

export interface GbContext {
  /** Returns the name of an attribute in Burgee. */
  readonly attribute: (name: string) => string
  /** Returns the key of a segment for a list of values, compared with this attribute. */
  readonly group: (id: string, attribute: string) => string
  /** Returns a saved group; undefined for one that the file has not. */
  readonly savedGroup: (id: string) => unknown
  /** Records that a condition is only nearly the same. */
  readonly approximate: (code: string, message: string) => void
  /** Records what to know of a condition that is the same. */
  readonly remark: (code: string, message: string) => void
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
      if (name === '$savedGroup') return savedGroupOf(value, context)
      if (name.startsWith('$')) throw new Gap('operator', `The operator ${name} has no equal.`)
      return comparedWith(context.attribute(name), value, context)
    }),
  )
}

/** A group of the second version has an attribute of its own, or a condition. Any other matches no one. */
function savedGroupOf(reference: unknown, context: GbContext): Expression {
  const { attributeKey, id } = objectOf(reference)
  if (typeof id !== 'string') return NEVER
  const group = objectOf(context.savedGroup(id))
  if (group.type === 'list') {
    const attribute = attributeKey ?? group.attributeKey
    if (typeof attribute !== 'string' || !Array.isArray(group.values)) return NEVER
    return inSegment(context.group(id, context.attribute(attribute)))
  }
  if (group.type !== 'condition' || !isObject(group.condition)) return NEVER
  // A group that refers to itself matches no one.
  const savedGroup = (other: string) => (other === id ? undefined : context.savedGroup(other))
  return conditionOf(group.condition, { ...context, savedGroup })
}

/** A group without a list of values: a condition, or a kind that this version of the SDK does not know. */
function isNoList(group: unknown): boolean {
  if (group === undefined || Array.isArray(group)) return false
  const { type, values } = objectOf(group)
  return type !== 'list' || !Array.isArray(values)
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

const ORDER = tableOf<Operator>({
  $gt: 'greater_than',
  $gte: 'greater_than_or_equal',
  $lt: 'less_than',
  $lte: 'less_than_or_equal',
})
const VERSIONS = tableOf<Operator>({
  $veq: 'semver_equal',
  $vgt: 'semver_greater_than',
  $vgte: 'semver_greater_than_or_equal',
  $vlt: 'semver_less_than',
  $vlte: 'semver_less_than_or_equal',
})

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
    case '$ini':
      return Array.isArray(value) ? amongInAnyCase(attribute, value) : NEVER
    case '$nini':
      return Array.isArray(value) ? not(amongInAnyCase(attribute, value)) : NEVER
    case '$exists':
      return value ? isSet(attribute) : not(isSet(attribute))
    case '$not':
      return not(comparedWith(attribute, value, context))
    // An attribute that is no list meets neither: the report states it.
    case '$all':
    case '$alli':
      return elementsOf(attribute, operator, value, context)
    case '$regex':
    case '$regexi':
      return patternOf(
        attribute,
        comparedTexts([value]).map((text) => (operator === '$regexi' ? `(?i)${text}` : text)),
      )
    case '$inGroup':
    case '$notInGroup': {
      if (isNoList(context.savedGroup(textForm(value)))) return NEVER
      const member = inSegment(context.group(textForm(value), attribute))
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

/** Texts are among the values in any case; other values as in `$in`. */
function amongInAnyCase(attribute: string, values: readonly unknown[]): Expression {
  const texts = values.filter((value) => typeof value === 'string')
  const others = values.filter((value) => typeof value !== 'string')
  const inAnyCase =
    texts.length === 0 ? NEVER : ignoringCase(attribute, { values: texts, start: true, end: true })
  return any([inAnyCase, amongOf(attribute, others)])
}

/** Each value must be an element of the list. Without values any list does. */
function elementsOf(attribute: string, operator: string, values: unknown, { remark }: GbContext): Expression {
  if (!Array.isArray(values)) return NEVER
  remark('list_attribute', `${operator} holds for lists only: send ${attribute} as a list.`)
  const isAnyCase = operator === '$alli'
  return all([
    isSet(attribute),
    ...values.map((value) =>
      isAnyCase && typeof value === 'string'
        ? ignoringCase(attribute, { values: [value], start: true, end: true })
        : equalityOf(attribute, value),
    ),
  ])
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
