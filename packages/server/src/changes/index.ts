export { type AccessChanges, createAccessChanges } from './access-changes.ts'
export type { AuditAction, AuditEntry, AuditOrigin } from './audit-entry.ts'
export type { Basics } from './basics.ts'
export { type Changefeed, createChangefeed } from './changefeed.ts'
export { wholeText } from './chunk-queries.ts'
export type { CommittedAt } from './committed-at.ts'
export type { EnvironmentWrite } from './environment-write.ts'
export type { FlagChange } from './flag-change.ts'
export { addWarnings, type GuardedWrite, type WriteGuard } from './guard-write.ts'
export { pruneHistory } from './history-pruning-queries.ts'
export {
  type EntryAuthor,
  type FlagMoment,
  findEntryAuthors,
  findEntryChanges,
  findNextChanges,
  findPastRevision,
  listChangedKeys,
  type PastChange,
  type PastFlag,
  type PastRevision,
  readPastChanges,
  readPastFlags,
} from './history-queries.ts'
export { startHistoryKeeping } from './keep-history.ts'
export { measureChangefeed } from './measure-changefeed.ts'
export { type PastState, readPastStates, readPastTexts } from './past-state-queries.ts'
export { bumpAccessRevision, type StoredChange } from './queries.ts'
export { recordAudit, recordParts, type WrittenPart } from './record-audit.ts'
export { type ClosedChain, closeChains } from './record-queries.ts'
export {
  EnvironmentMoved,
  RolledBack,
  tryEnvironment,
  type WriteDeps,
  type WriteOutcome,
  writeEnvironment,
} from './write-environment.ts'
export { writeWithin } from './write-within.ts'
export {
  type WorkspaceAudit,
  type WorkspaceWrite,
  type WorkspaceWriteDeps,
  type WorkspaceWriteOutcome,
  writeWorkspace,
} from './write-workspace.ts'
