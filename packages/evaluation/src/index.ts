export { createFlagSet } from './create-flag-set.ts'
export { deepEqual } from './deep-equal.ts'
export { type Evaluation, REASONS, type Reason } from './evaluation.ts'
export {
  type Attributes,
  type AttributeValue,
  type Condition,
  type EvaluatedFlag,
  FLAG_TYPES,
  type FlagType,
  HASHES,
  type Hash,
  type JsonValue,
  type Prerequisite,
  type TargetingRule,
  type WeightedVariant,
} from './flag.ts'
export type { EvaluationContext, FlagSet } from './flag-set.ts'
export { canReachBound, foreseeSteps, isCostlyOperator } from './foresee-steps.ts'
export { parseJsonNumber } from './json-number.ts'
export { checkPattern, measurePattern } from './matcher/check-pattern.ts'
export { compilePattern } from './matcher/compile-pattern.ts'
export {
  complementOf,
  isNumericOperator,
  isOperator,
  OPERATORS,
  type Operator,
  type OperatorKind,
  operatorKind,
  SPECIFIED_OPERATORS,
} from './operators.ts'
export { EXTENSIONS, listRequirements } from './requirements.ts'
export { MAX_STEPS } from './run.ts'
export { parseTime } from './times.ts'
export { parseVersion } from './versions.ts'
