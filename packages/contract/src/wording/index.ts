export { APPROVAL_TABLE, type ApprovalNeed } from './approval-table.ts'
export { describeFlagChange } from './describe-flag-change.ts'
export { describeOperator } from './describe-operator.ts'
export { PERMISSION_WORDS } from './describe-permission.ts'
export { describeRulesChange, describeSegmentChange } from './describe-segment-change.ts'
export { formatShare } from './format-share.ts'
export { cutLine } from './format-text.ts'
export {
  describeImportRequests,
  IMPORT_REQUESTS,
  IMPORT_SYSTEM_NAMES,
  type ImportRequests,
  withoutImportCommands,
} from './import-requests.ts'
export { nameOfValue } from './name-value.ts'
