import type { Operator } from '@burgee/evaluation'
import { ignoringCase, matches, numericEqual, USER_KEY } from '../../conditions.ts'
import { ALWAYS, all, any, type Expression, NEVER, not, test } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import {
  comparedTexts,
  type JsonObject,
  listOf,
  objectsOf,
  tableOf,
  textForm,
  textOf,
} from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'

export interface ConstraintPlace {
  readonly notes: FlagNotes
  readonly path: string
  /** The time at which the files are read, in milliseconds since 1970. */
  readonly nowMs: number
}

const NUMBERS = tableOf<Operator>({
  NUM_GT: 'greater_than',
  NUM_GTE: 'greater_than_or_equal',
  NUM_LT: 'less_than',
  NUM_LTE: 'less_than_or_equal',
})
const VERSIONS = tableOf<Operator>({
  SEMVER_EQ: 'semver_equal',
  SEMVER_GT: 'semver_greater_than',
  SEMVER_GTE: 'semver_greater_than_or_equal',
  SEMVER_LT: 'semver_less_than',
  SEMVER_LTE: 'semver_less_than_or_equal',
})

/** Comparisons of texts, with the side on which a value must be where case is ignored. */
const TEXTS = tableOf<{ operator: Operator; start: boolean; end: boolean }>({
  STR_STARTS_WITH: { operator: 'starts_with', start: true, end: false },
  STR_ENDS_WITH: { operator: 'ends_with', start: false, end: true },
  STR_CONTAINS: { operator: 'contains', start: false, end: false },
})

/** Translates constraints, which must all hold. */
export function constraintsOf(constraints: unknown, place: ConstraintPlace): Expression {
  return all(
    objectsOf(constraints).map((constraint, index) => {
      const holds = constraintOf(constraint, { ...place, path: `${place.path}/constraints/${index}` })
      return constraint.inverted === true ? not(holds) : holds
    }),
  )
}

function constraintOf(constraint: JsonObject, place: ConstraintPlace): Expression {
  const { caseInsensitive, contextName, operator, value } = constraint
  const attribute = attributeOf(contextName)
  const values = comparedTexts(listOf(constraint.values))
    .filter((text) => text !== '')
    .map((text) => text.trim())
  const name = textOf(operator) ?? ''
  if (name === 'IN') return test(attribute, 'equals', values)
  if (name === 'NOT_IN') return not(test(attribute, 'equals', values))
  const texts = TEXTS[name]
  if (texts)
    return caseInsensitive === true
      ? ignoringCase(attribute, { ...texts, values })
      : test(attribute, texts.operator, values)
  const single = comparedTexts([value])
  const version = VERSIONS[name]
  if (version) return versionOf(attribute, version, single)
  if (name.startsWith('NUM_')) return numericOf(name, { attribute, value }, place)
  if (name === 'REGEX')
    return matches(
      attribute,
      single.map((text) => (caseInsensitive === true ? `(?i)${text}` : text)),
    )
  if (name === 'DATE_AFTER' || name === 'DATE_BEFORE') return dateOf(name, value, place)
  throw unknownOperator(name)
}

/**
 * The SDK for Node reads an empty text as 0, also in the file; those for Java and Go read none. A constraint
 * with something else than a number holds for no one.
 */
function numericOf(
  name: string,
  { attribute, value }: { readonly attribute: string; readonly value: unknown },
  { notes, path }: ConstraintPlace,
): Expression {
  const operator = NUMBERS[name]
  if (!operator && name !== 'NUM_EQ') throw unknownOperator(name)
  const number = value === null || typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return NEVER
  if (!Number.isFinite(number)) throw new Gap('number', `Burgee does not compare with ${String(number)}.`)
  const holds = operator
    ? test(attribute, operator, [String(number)])
    : numericEqual(attribute, [String(number)])
  const forZero = { NUM_EQ: number === 0, NUM_GT: 0 > number, NUM_GTE: 0 >= number, NUM_LT: 0 < number }
  const isEmptyIn = name === 'NUM_LTE' ? 0 <= number : forZero[name as keyof typeof forZero]
  if (!isEmptyIn || attribute === USER_KEY) return holds
  notes.remark(
    'empty_text',
    path,
    `Send ${attribute} as a number. The SDKs of Unleash for Node and browsers read an empty text as 0, as Burgee does here. Those for Java and Go do not.`,
  )
  return any([holds, test(attribute, 'equals', [''])])
}

const unknownOperator = (name: string): Gap =>
  new Gap(name === 'IN_CIDR' ? 'ip_range' : 'operator', `The operator ${JSON.stringify(name)} has no equal.`)

/** Unleash reads whole versions only, Burgee also `1.2`. */
function versionOf(attribute: string, operator: Operator, values: readonly string[]): Expression {
  const whole = values.filter((value) => WHOLE_VERSION.test(value))
  return whole.length === 0
    ? NEVER
    : all([matches(attribute, [WHOLE_VERSION.source]), test(attribute, operator, whole)])
}
const WHOLE_VERSION = /^\d+\.\d+\.\d+/

export const attributeOf = (contextName: unknown): string => {
  const name = textOf(contextName) ?? ''
  return name === 'userId' ? USER_KEY : name
}

/** The clock decides, which no flag of Burgee reads: it is as it is now. */
function dateOf(name: string, value: unknown, { notes, nowMs, path }: ConstraintPlace): Expression {
  const at = Date.parse(textForm(value))
  if (Number.isNaN(at)) return NEVER
  const holds = name === 'DATE_AFTER' ? nowMs > at : nowMs < at
  notes.lower('approximated', {
    code: 'clock',
    path,
    message: `It ${holds ? 'holds' : 'does not hold'} now and changes with time: ${name} ${textForm(value)}. Schedule a change for then.`,
  })
  return holds ? ALWAYS : NEVER
}
