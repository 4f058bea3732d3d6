import type { TargetingRule, TargetingRuleInput } from '@burgee/contract'
import { OPERATORS, type Operator } from '@burgee/evaluation'
import { isGiven } from '../../kernel/is-given.ts'

/**
 * Keeps the known fields with values of the right kind; null means absent. What a rule without a segment then
 * lacks is found by `validateRules`.
 */
export function toRule(rule: TargetingRuleInput): TargetingRule {
  const { attribute, conditions, operator, segment_key, values, variant } = rule
  return {
    ...(typeof attribute === 'string' && { attribute }),
    ...(isOperator(operator) && { operator }),
    ...(isTexts(values) && { values }),
    ...(isGiven(segment_key) && { segment_key }),
    ...(isGiven(variant) && { variant }),
    ...(isGiven(conditions) && {
      conditions: conditions.map((condition) => ({
        attribute: condition.attribute,
        operator: condition.operator,
        values: condition.values,
      })),
    }),
  }
}

const OPERATORS_OR_NONE: readonly unknown[] = [...OPERATORS, '']
const isOperator = (value: unknown): value is Operator | '' => OPERATORS_OR_NONE.includes(value)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
