export { describeFlagChange } from './describe-flag-change.ts'
export { describeOperator } from './describe-operator.ts'
export { cutLine } from './format-text.ts'
