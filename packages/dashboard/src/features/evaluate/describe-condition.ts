import { cutLine } from '@burgee/contract'
import { isOperator, operatorKind } from '@burgee/evaluation'
import type { ConditionTrace, RuleOrigin } from '@burgee/evaluation/explain'
import { describeOperator } from '../../parts/rules/operators.ts'

const VALUES_SHOWN = 4
const TEXT_MAX = 40

type Tested = Pick<ConditionTrace, 'attribute' | 'operator' | 'values' | 'omitted_values'>

/** `country is one of NO, SE`. */
export function describeCondition({ attribute, omitted_values = 0, operator, values }: Tested): string {
  if (!isOperator(operator)) return cutLine(attribute, TEXT_MAX)
  const count = values.length + omitted_values
  const shown = values.slice(0, VALUES_SHOWN).map((value) => cutLine(value, TEXT_MAX) || '""')
  const rest = count - shown.length
  const list = rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
  const test = `${cutLine(attribute, TEXT_MAX)} ${describeOperator(operator, count)}`
  return operatorKind(operator) === 'presence' ? test : `${test} ${list || 'nothing'}`
}

/**
 * `Rule 2`, or with a segment and the one within it `Rule 2 (segment beta → staff)`, or with two that hold
 * together `Rule 2 (segments beta and staff)`.
 */
export function nameRule({ rule_index, segment_keys, segment_paths }: RuleOrigin): string {
  const name = `Rule ${rule_index + 1}`
  const paths = segment_paths ?? (segment_keys.length > 0 ? [segment_keys] : [])
  if (paths.length === 0) return name
  const chains = paths.map((keys) => keys.join(' → '))
  return `${name} (${chains.length > 1 ? 'segments' : 'segment'} ${chains.join(' and ')})`
}
