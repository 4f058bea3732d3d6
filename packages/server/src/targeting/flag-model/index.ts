export { diffFlags } from './diff-flags.ts'
export type { EnvironmentRead } from './environment-read.ts'
export { toFlagContent } from './flag.ts'
export { extensionsOf } from './flag-extensions.ts'
export {
  applyOperation,
  type FlagOperation,
  type FlagOutcome,
  type OperationMoment,
  operationSteps,
} from './flag-operation.ts'
export { findHiddenWarnings, findVisibleDependent, type NeedingFlag } from './hidden-warnings.ts'
export { findOwnerWarnings } from './owner-warnings.ts'
export { findPrerequisiteWarnings } from './prerequisite-warnings.ts'
export { type Preconditions, preconditionsOf, requireRevision } from './require-revision.ts'
export { readStoredFlag } from './stored-flag.ts'
export { readStoredOperation } from './stored-operation.ts'
export { namesSegments, toWireFlag } from './to-wire-flag.ts'
export { validateValueSchema } from './value-schema/validate-value-schema.ts'
export { findValueWarnings, findVariantWarnings } from './value-warnings.ts'
