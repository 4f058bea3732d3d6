import { cutLine } from '@burgee/contract'
import { type Condition, operatorKind } from '@burgee/evaluation'
import { describeOperator } from '../../parts/rules/operators.ts'
import type { RuleOrigin } from './rule-origins.ts'

const VALUES_SHOWN = 4
const TEXT_MAX = 40

/** `country is one of NO, SE`. */
export function describeCondition({ attribute, operator, values }: Condition): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => cutLine(value, TEXT_MAX) || '""')
  const rest = values.length - shown.length
  const list = rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
  const test = `${cutLine(attribute, TEXT_MAX)} ${describeOperator(operator, values.length)}`
  return operatorKind(operator) === 'presence' ? test : `${test} ${list || 'nothing'}`
}

/** `Rule 2`, or `Rule 2 (segment beta-testers)`. */
export function nameRule({ rule_index, segment_keys }: RuleOrigin): string {
  const segments = segment_keys.length > 0 ? ` (segment ${segment_keys.join(' → ')})` : ''
  return `Rule ${rule_index + 1}${segments}`
}
