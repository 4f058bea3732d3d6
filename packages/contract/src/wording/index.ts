export { describeFlagChange } from './describe-flag-change.ts'
export { describeOperator } from './describe-operator.ts'
export { PERMISSION_WORDS } from './describe-permission.ts'
export { cutLine } from './format-text.ts'
