import type { TargetingRule, Warning } from '@burgee/contract'
import { isOperator, operatorKind, parseJsonNumber, parseTime, parseVersion } from '@burgee/evaluation'

/** The length of a value in a message. */
const SHOWN_VALUE_MAX_LENGTH = 100

/**
 * Returns warnings about probable mistakes in the tests of a rule: its own test, unless it names a segment,
 * and its conditions.
 */
export function findTestWarnings(rule: TargetingRule, index: number): Warning[] {
  const own = rule.segment_key ? [] : testWarnings(rule, `/rules/${index}`)
  const further = (rule.conditions ?? []).flatMap((condition, at) =>
    'segment_key' in condition ? [] : testWarnings(condition, `/rules/${index}/conditions/${at}`),
  )
  return [...own, ...further]
}

type Test = Pick<TargetingRule, 'attribute' | 'operator' | 'values'>

const testWarnings = (test: Test, path: string): Warning[] => [
  ...emptyAttribute(test, path),
  ...notOrdered(test, path),
]

function emptyAttribute({ attribute }: Test, path: string): Warning[] {
  if (attribute === undefined || attribute.trim() !== '') return []
  const message = 'The attribute has no name, so no user has it. Enter the name of an attribute.'
  return [{ code: 'empty_attribute', path: `${path}/attribute`, message }]
}

/** The kinds of values that ordering operators compare, and the warning where a value is none. */
const ORDERED = {
  number: {
    isOne: (value: string) => !Number.isNaN(parseJsonNumber(value)),
    noun: 'number',
    code: 'not_a_number',
  },
  version: {
    isOne: (value: string) => typeof parseVersion(value) === 'string',
    noun: 'version',
    code: 'not_a_version',
  },
  time: { isOne: (value: string) => !Number.isNaN(parseTime(value)), noun: 'time', code: 'not_a_time' },
} as const

/** Warns of a value of another kind: the operator never matches it, its complement always does. */
function notOrdered({ operator, values = [] }: Test, path: string): Warning[] {
  if (!isOperator(operator)) return []
  const kind = operatorKind(operator)
  if (kind !== 'number' && kind !== 'version' && kind !== 'time') return []
  const { code, isOne, noun } = ORDERED[kind]
  const wrong = values.filter((value) => !isOne(value))
  const [first] = wrong
  if (first === undefined) return []
  const others = wrong.length - 1
  const more = others > 0 ? ` The same is true of ${others} more ${others === 1 ? 'value' : 'values'}.` : ''
  const effect = operator.startsWith('not_') ? `does not exclude anything by it` : 'never holds for it'
  const message = `${shown(first)} is not a ${noun}, so ${operator} ${effect}.${more}`
  return [{ code, path: `${path}/values/${values.indexOf(first)}`, message }]
}

const shown = (value: string): string =>
  JSON.stringify(value.length > SHOWN_VALUE_MAX_LENGTH ? `${value.slice(0, SHOWN_VALUE_MAX_LENGTH)}…` : value)
