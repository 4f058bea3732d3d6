import type { TargetingRule, Warning } from '@burgee/contract'
import { isNumericOperator, isOperator, parseJsonNumber } from '@burgee/evaluation'

/** The length of a value in a message. */
const SHOWN_VALUE_MAX_LENGTH = 100

/**
 * Returns warnings about probable mistakes in the tests of a rule: its own test, unless it names a segment,
 * and its conditions.
 */
export function findTestWarnings(rule: TargetingRule, index: number): Warning[] {
  const own = rule.segment_key ? [] : testWarnings(rule, `/rules/${index}`)
  const further = (rule.conditions ?? []).flatMap((condition, at) =>
    testWarnings(condition, `/rules/${index}/conditions/${at}`),
  )
  return [...own, ...further]
}

type Test = Pick<TargetingRule, 'attribute' | 'operator' | 'values'>

const testWarnings = (test: Test, path: string): Warning[] => [
  ...emptyAttribute(test, path),
  ...notANumber(test, path),
]

function emptyAttribute({ attribute }: Test, path: string): Warning[] {
  if (attribute === undefined || attribute.trim() !== '') return []
  const message = 'The attribute has no name, so no user has it. Enter the name of an attribute.'
  return [{ code: 'empty_attribute', path: `${path}/attribute`, message }]
}

/** Warns of a value that is not a number: a numeric operator never matches it. */
function notANumber({ operator, values = [] }: Test, path: string): Warning[] {
  if (!isOperator(operator) || !isNumericOperator(operator)) return []
  const isNoNumber = (value: string) => Number.isNaN(parseJsonNumber(value))
  const at = values.findIndex(isNoNumber)
  if (at === -1) return []
  const others = values.filter(isNoNumber).length - 1
  const more = others > 0 ? ` The same is true of ${others} more ${others === 1 ? 'value' : 'values'}.` : ''
  const message = `${shown(values[at] ?? '')} is not a number, so ${operator} never holds for it.${more}`
  return [{ code: 'not_a_number', path: `${path}/values/${at}`, message }]
}

const shown = (value: string): string =>
  JSON.stringify(value.length > SHOWN_VALUE_MAX_LENGTH ? `${value.slice(0, SHOWN_VALUE_MAX_LENGTH)}…` : value)
