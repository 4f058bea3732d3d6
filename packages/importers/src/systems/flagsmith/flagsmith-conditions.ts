import type { Operator } from '@burgee/evaluation'
import { matches, USER_KEY } from '../../conditions.ts'
import { all, type Expression, isSet, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { comparedTexts, type JsonObject, listOf, numberOf, tableOf, textOf } from '../../reading.ts'

/** Reports that Flagsmith's own engines evaluate a part in different ways. */
export type Differ = (message: string) => void

const ORDERS = tableOf<Operator>({
  GREATER_THAN: 'greater_than',
  GREATER_THAN_INCLUSIVE: 'greater_than_or_equal',
  LESS_THAN: 'less_than',
  LESS_THAN_INCLUSIVE: 'less_than_or_equal',
})
const VERSIONS = tableOf<Operator>({
  EQUAL: 'semver_equal',
  GREATER_THAN: 'semver_greater_than',
  GREATER_THAN_INCLUSIVE: 'semver_greater_than_or_equal',
  LESS_THAN: 'semver_less_than',
  LESS_THAN_INCLUSIVE: 'semver_less_than_or_equal',
})
const VERSION_SUFFIX = ':semver'
/** Flagsmith compares whole versions only. */
const WHOLE_VERSION = String.raw`^v?\d+\.\d+\.\d+`
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i

/** A user without the trait meets no condition but IS_NOT_SET, also no negative one. */
export function conditionOf(condition: JsonObject, differ: Differ): Expression {
  const operator = textOf(condition.operator) ?? ''
  const property = textOf(condition.property_) ?? textOf(condition.property)
  if (property === null) return NEVER
  const attribute = attributeOf(property)
  if (operator === 'IS_SET') return isSet(attribute)
  if (operator === 'IS_NOT_SET') return not(isSet(attribute))
  if (operator === 'IN') return test(attribute, 'equals', listed(condition.value, differ))
  const [text = ''] = comparedTexts([condition.value])
  if (operator === 'REGEX') return patternOf(attribute, text, differ)
  if (operator === 'NOT_CONTAINS') return text === '' ? NEVER : unlike(attribute, 'contains', [text])
  const version = text.endsWith(VERSION_SUFFIX)
  const value = version ? text.replace(VERSION_SUFFIX, '') : text
  if (operator === 'CONTAINS') return test(attribute, 'contains', [value])
  // The engine has no operator of its own for other versions, and compares the texts.
  if (operator === 'NOT_EQUAL') return unlike(attribute, 'equals', version ? [value] : formsOf(value))
  const versionOperator = version ? VERSIONS[operator] : undefined
  if (versionOperator) return versionOf(attribute, versionOperator, value)
  if (operator === 'EQUAL') return test(attribute, 'equals', formsOf(value))
  return orderOf(attribute, operator, value)
}

const unlike = (attribute: string, operator: Operator, values: readonly string[]): Expression =>
  all([isSet(attribute), not(test(attribute, operator, values))])

function versionOf(attribute: string, operator: Operator, value: string): Expression {
  if (!new RegExp(WHOLE_VERSION).test(value)) return NEVER
  return all([matches(attribute, [WHOLE_VERSION]), test(attribute, operator, [value])])
}

function orderOf(attribute: string, operator: string, value: string): Expression {
  const order = ORDERS[operator]
  if (!order)
    throw new Gap(operator === 'MODULO' ? 'modulo' : 'operator', `The operator ${operator} has no equal.`)
  if (!NUMBER.test(value))
    throw new Gap('text_order', `${JSON.stringify(value)} orders texts. Burgee orders numbers.`)
  return test(attribute, order, [value])
}

/** The engines of Flagsmith in Python search at the beginning of the text, those in JavaScript anywhere. */
function patternOf(attribute: string, pattern: string, differ: Differ): Expression {
  if (pattern === '') return NEVER
  if (pattern.includes('|') || !/^(\^|\.\*)/.test(pattern))
    differ(
      `Some engines of Flagsmith find ${JSON.stringify(pattern)} anywhere, and others only at the beginning, as Burgee does here.`,
    )
  return matches(attribute, [`^(?:${pattern})`])
}

/** Returns a value as a text, and as the JSON of the boolean or number that a typed trait has. */
function formsOf(value: string): readonly string[] {
  if (value === 'True' || value === 'False') return [value, value.toLowerCase()]
  const number = numberOf(value)
  return number === null ? [value] : [value, String(number)]
}

/** A list, a list with commas, or the JSON of a list. An empty text is in none. */
function listed(value: unknown, differ: Differ): readonly string[] {
  const list = Array.isArray(value)
    ? listOf(value)
    : (parsedList(value) ?? comparedTexts([value]).flatMap((text) => text.split(',')))
  const texts = list.filter((one) => typeof one === 'string')
  if (texts.length < list.length)
    differ('Some engines of Flagsmith compare numbers in a list with traits, and others only texts.')
  return comparedTexts(list).filter((one) => one !== '')
}

function parsedList(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'string') return null
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}

const TRAIT = /^\$\.identity\.traits(?:\.(.+)|\['(.+)'\])$/

/** Returns the attribute that a property names: a trait, or a path in what Flagsmith evaluates with. */
function attributeOf(property: string): string {
  if (!property.startsWith('$.')) return property
  if (property === '$.identity.identifier') return USER_KEY
  const [, dotted, quoted] = TRAIT.exec(property) ?? []
  const trait = dotted ?? quoted
  if (trait === undefined) throw new Gap('context_path', `Burgee has no attribute for ${property}.`)
  return trait
}
