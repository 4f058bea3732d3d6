export type { AuditAction, AuditOrigin } from './audit-entry.ts'
export { type Changefeed, createChangefeed } from './changefeed.ts'
export type { FlagChange } from './flag-change.ts'
export { bumpAccessRevision, pruneChanges, recordAudit, type StoredChange } from './queries.ts'
export {
  type EnvironmentWrite,
  type WriteDeps,
  type WriteOutcome,
  writeEnvironment,
} from './write-environment.ts'
