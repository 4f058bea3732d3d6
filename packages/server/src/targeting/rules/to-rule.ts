import {
  type Condition,
  type ConditionInput,
  percentageOf,
  type SegmentCondition,
  type TargetingRule,
  type TargetingRuleInput,
} from '@burgee/contract'
import { isOperator, type Operator, operatorKind } from '@burgee/evaluation'
import { isGiven } from '../../kernel/is-given.ts'

/**
 * Keeps the known fields with values of the right kind; null and the default of a field mean absent. What a
 * rule then lacks is found by `validateRules`.
 */
export function toRule(rule: TargetingRuleInput): TargetingRule {
  const { attribute, conditions, operator, segment_key, variant } = rule
  const isReference = isGiven(segment_key)
  const values = needsNoValues(operator) && !isReference ? [] : rule.values
  return {
    ...(typeof attribute === 'string' && { attribute }),
    ...(isRuleOperator(operator, isReference) && { operator }),
    ...(isTexts(values) && { values }),
    ...(isReference && { segment_key }),
    ...(isGiven(variant) && { variant }),
    ...(isGiven(conditions) && { conditions: conditions.map(toStoredCondition) }),
    ...extensionsOf(rule),
  }
}

function extensionsOf(rule: TargetingRuleInput): Partial<TargetingRule> {
  const { bucket_by, description, hash, off, rollout_salt, rollout_thousandths, variant_salt, variants } =
    rule
  const percentage = percentageOf(rule)
  return {
    ...(off === true && { off }),
    ...(percentage !== null && { rollout_percentage: percentage }),
    ...(isGiven(rollout_thousandths) && { rollout_thousandths }),
    ...(isGiven(variants) &&
      variants.length > 0 && { variants: variants.map(({ value, weight }) => ({ weight, value })) }),
    ...(isGiven(description) && description !== '' && { description }),
    ...(isGiven(bucket_by) && { bucket_by }),
    ...(isGiven(rollout_salt) && { rollout_salt }),
    ...(isGiven(variant_salt) && { variant_salt }),
    ...(isGiven(hash) && hash !== 'murmur3' && { hash }),
  }
}

function toStoredCondition(condition: ConditionInput): Condition | SegmentCondition {
  const { attribute, operator, segment_key } = condition
  const values = needsNoValues(operator) ? [] : condition.values
  const stored = {
    ...(isGiven(segment_key) && { segment_key }),
    ...(isGiven(attribute) && !isGiven(segment_key) && { attribute }),
    operator,
    ...(isGiven(values) && !isGiven(segment_key) && { values }),
  }
  // `validateRules` refuses what is neither of the two.
  return stored as Condition | SegmentCondition
}

/** A reference keeps the operator that turns it around; that it refers to a segment needs none. */
const isRuleOperator = (
  operator: unknown,
  isReference: boolean,
): operator is Operator | 'not_in_segment' | '' =>
  operator === '' || isOperator(operator) || (isReference && operator === 'not_in_segment')

const needsNoValues = (operator: unknown): boolean =>
  isOperator(operator) && operatorKind(operator) === 'presence'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
