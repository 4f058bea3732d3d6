import type { Warning } from '@burgee/contract'
import type { KeyedQueue } from '../platform/concurrency/keyed-queue.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { EnvironmentWrite } from './environment-write.ts'
import type { FlagChange } from './flag-change.ts'

/** The decision on a write that is not refused. */
export interface GuardedWrite {
  readonly warnings: readonly Warning[]
  /** The invariants that the write violates all the same, and why; null without any. */
  readonly override: { readonly invariants: readonly string[]; readonly reason: string } | null
}

/**
 * Decides the demands on what a write leaves, and refuses with `invalid` what breaks them. `waiting` is the
 * number of writes of the environment that wait meanwhile.
 */
export type WriteGuard = (
  write: EnvironmentWrite,
  changes: readonly FlagChange[],
  waiting: number,
) => Promise<GuardedWrite>

const UNGUARDED: GuardedWrite = { warnings: [], override: null }

/** Runs the guard on a write of an environment that has invariants and whose SDKs see the change. */
export async function guardWrite(
  { guard, queue }: { readonly guard?: WriteGuard; readonly queue: KeyedQueue },
  write: EnvironmentWrite,
  changes: readonly FlagChange[],
): Promise<GuardedWrite> {
  if (!guard || !write.environment.has_invariants) return UNGUARDED
  if (changes.every(({ kind }) => kind === 'none')) return UNGUARDED
  return guard(write, changes, queue.waiting(write.environment.id))
}

/** Adds the override to the audit entry of the write. */
export const withOverride = (audit: AuditEntry, { override }: GuardedWrite): AuditEntry =>
  override ? { ...audit, metadata: { ...audit.metadata, override } } : audit

/** Adds warnings to a result that lists some. */
export const addWarnings = <T extends { readonly warnings?: readonly Warning[] }>(
  result: T,
  warnings: readonly Warning[],
): T => (warnings.length === 0 ? result : { ...result, warnings: [...(result.warnings ?? []), ...warnings] })
