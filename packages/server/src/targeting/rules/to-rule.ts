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
  // Fields are set one by one: spreads take several times as long, and a segment may have 100,000 rules.
  const stored: Writable<TargetingRule> = {}
  if (typeof attribute === 'string') stored.attribute = attribute
  if (isRuleOperator(operator, isReference)) stored.operator = operator
  if (isTexts(values)) stored.values = values
  if (isReference) stored.segment_key = segment_key
  if (isGiven(variant)) stored.variant = variant
  if (isGiven(conditions)) stored.conditions = conditions.map(toStoredCondition)
  setExtensions(stored, rule)
  return stored
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

function setExtensions(stored: Writable<TargetingRule>, rule: TargetingRuleInput): void {
  const { bucket_by, description, hash, off, rollout_salt, rollout_thousandths, variant_salt, variants } =
    rule
  const percentage = percentageOf(rule)
  if (off === true) stored.off = off
  if (percentage !== null) stored.rollout_percentage = percentage
  if (isGiven(rollout_thousandths)) stored.rollout_thousandths = rollout_thousandths
  if (isGiven(variants) && variants.length > 0)
    stored.variants = variants.map(({ value, weight }) => ({ weight, value }))
  if (isGiven(description) && description !== '') stored.description = description
  if (isGiven(bucket_by)) stored.bucket_by = bucket_by
  if (isGiven(rollout_salt)) stored.rollout_salt = rollout_salt
  if (isGiven(variant_salt)) stored.variant_salt = variant_salt
  if (isGiven(hash) && hash !== 'murmur3') stored.hash = hash
}

function toStoredCondition(condition: ConditionInput): Condition | SegmentCondition {
  const { attribute, operator, segment_key } = condition
  const values = needsNoValues(operator) ? [] : condition.values
  // `validateRules` refuses what is neither of the two.
  if (isGiven(segment_key)) return { segment_key, operator } as SegmentCondition
  const stored: Partial<Condition> = isGiven(attribute) ? { attribute } : {}
  stored.operator = operator as Condition['operator']
  if (isGiven(values)) stored.values = values
  return stored as Condition
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
