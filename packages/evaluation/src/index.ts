export { deepEqual } from './deep-equal.ts'
export { type Evaluation, REASONS, type Reason } from './evaluation.ts'
export {
  type Attributes,
  type AttributeValue,
  type Condition,
  type EvaluatedFlag,
  FLAG_TYPES,
  type FlagType,
  type JsonValue,
  type Prerequisite,
  type TargetingRule,
  type WeightedVariant,
} from './flag.ts'
export { createFlagSet, type EvaluationContext, type FlagSet } from './flag-set.ts'
export { parseJsonNumber } from './json-number.ts'
export { isNumericOperator, isOperator, OPERATORS, type Operator } from './operators.ts'
