import type { ChangeRequest, Flag, FlagTimes, Warning } from '@burgee/contract'
import {
  type AuditOrigin,
  addWarnings,
  type EnvironmentWrite,
  type WriteDeps,
  type WriteOutcome,
  writeEnvironment,
} from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import {
  applyOperation,
  type FlagOperation,
  findOwnerWarnings,
  type Preconditions,
  requireRevision,
} from '../flag-model/index.ts'
import { type FlagRow, findStoredFlag, findWarnings, requireSendable } from '../flags/index.ts'
import { changeFlag } from './change-flag.ts'
import { type CreationDeps, needsApproval, needsApprovalToExist } from './needs-approval.ts'

/** An operation on a flag for review, with the time at which it would be applied; null for immediately. */
export interface ProposedChange {
  /** Null when the flag would be created. */
  readonly before: Flag | null
  readonly after: Flag | null
  readonly operation: FlagOperation
  readonly scheduled_at: string | null
  /** The author of a change that was planned earlier; absent where the actor requests it. */
  readonly requester?: PastRequester
}

/** The author of a change that someone else now puts up for review. */
interface PastRequester {
  readonly name: string
  /** The identity (`actorIdentity`), which cannot approve the change. */
  readonly identity: string
  /** The user behind the author, who cannot approve it either; null when unknown. */
  readonly user_id: number | null
  readonly comment: string | null
}

export interface FlagWriteDeps extends WriteDeps, CreationDeps {
  /** Stores the change for review instead of applying it. `app/flag-writes.ts` provides it. */
  readonly openChangeRequest: (
    write: EnvironmentWrite,
    actor: Actor,
    proposed: ProposedChange,
  ) => Promise<WriteOutcome<ChangeRequest>>
  /** Deletes the scheduled changes of a deleted flag. `app/flag-writes.ts` provides it. */
  readonly onFlagDeleted: (write: EnvironmentWrite, key: string) => Promise<void>
}

/** The result of an operation. A deleted flag is null. */
export type OperatedFlag = WrittenFlagResult | QueuedChange

export interface WrittenFlagResult {
  readonly kind: 'written'
  readonly flag: Flag | null
  /** The times of the flag; of a deleted one, as they were. */
  readonly times: FlagTimes
  readonly warnings: readonly Warning[]
}

export interface QueuedChange {
  readonly kind: 'queued'
  readonly change_request: ChangeRequest
  readonly warnings: readonly Warning[]
}

export interface FlagOperationInput {
  readonly environment_id: string
  readonly key: string
  readonly operation: FlagOperation
  readonly preconditions: Preconditions
  /** The revision of the environment on which the operation was decided. */
  readonly atRevision?: number | undefined
}

/**
 * Applies one operation to one flag, as a change of its own, or requests approval where the environment
 * requires it. Refuses with `not_found`, with `stale` when a precondition does not hold, and with `invalid`
 * when the result is not a valid flag.
 */
export async function operateOnFlag(
  deps: FlagWriteDeps,
  actor: Actor,
  { atRevision, environment_id, key, operation, preconditions }: FlagOperationInput,
): Promise<OperatedFlag> {
  const read = (tx: EnvironmentWrite['tx']) => findStoredFlag(tx, environment_id, key)
  const work = async (write: EnvironmentWrite, stored: Awaited<ReturnType<typeof read>>) => {
    const before = stored?.flag ?? null
    // What creates no flag has nothing to compare: the flag is missing, whatever the headers state.
    if (!before && operation.operation !== 'replace') throw notFound('flag')
    requireRevision(before, preconditions)
    const context = { before, row: stored?.row, operation, origin: 'direct' } as const
    return applyOrRequestApproval(deps, write, actor, context)
  }
  return writeEnvironment(deps, environment_id, actor, work, { read, atRevision, withWarnings: addWarnings })
}

export interface OperationContext {
  readonly before: Flag | null
  /** The row of the flag, where the write has read it. */
  readonly row?: FlagRow | undefined
  readonly operation: FlagOperation
  readonly origin: AuditOrigin
  /** Additional fields for the audit log's `metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * Applies an operation or stores it for review. Every direct call uses this.
 */
export async function applyOrRequestApproval(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  actor: Actor,
  context: OperationContext,
): Promise<WriteOutcome<OperatedFlag>> {
  const { before, operation } = context
  await shareTurn()
  if (!(await isReviewed(deps, write, context))) return applyDirectly(deps, write, context)
  const { after } = await applyOperation(before, operation, write)
  await shareTurn()
  await requireSendable(write, after)
  const proposed = { before, after, operation, scheduled_at: null }
  const warnings = [...(after ? await findWarnings(write, after) : []), ...findOwnerWarnings(before, after)]
  const outcome = await deps.openChangeRequest(write, actor, proposed)
  const audit = { ...outcome.audit, metadata: { ...context.metadata, ...outcome.audit.metadata } }
  return { ...outcome, audit, result: { kind: 'queued', change_request: outcome.result, warnings } }
}

/** Applies an operation of a single call, which may meet a flag that files manage. */
async function applyDirectly(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  context: OperationContext,
): Promise<WriteOutcome<OperatedFlag>> {
  const outcome = await applyAndRecord(deps, write, context)
  const { flag, warnings } = outcome.result
  const result = { ...outcome.result, warnings: [...warnings, ...findOwnerWarnings(context.before, flag)] }
  return { ...outcome, result }
}

async function isReviewed(
  deps: CreationDeps,
  write: EnvironmentWrite,
  { before, operation }: OperationContext,
): Promise<boolean> {
  if (before) return needsApproval(write.environment, operation.operation)
  const isCreation = operation.operation === 'replace' || operation.operation === 'promote'
  return isCreation && needsApprovalToExist(deps, write, operation.flag.key)
}

/** Applies an operation regardless of approval. Reviews and scheduled changes use this. */
export async function applyAndRecord(
  deps: Pick<FlagWriteDeps, 'onFlagDeleted'>,
  write: EnvironmentWrite,
  { before, metadata = {}, operation, origin, row }: OperationContext,
): Promise<WriteOutcome<WrittenFlagResult>> {
  const outcome = await applyOperation(before, operation, write)
  await shareTurn()
  const after = outcome.after && { ...outcome.after, revision: write.nextRevision }
  const warnings = after ? await findWarnings(write, after) : []
  if (before && !after) await deps.onFlagDeleted(write, before.key)
  const source = operation.operation === 'promote' ? { source_environment: operation.source } : {}
  const transition = { ...outcome, ...source, before, row, after, origin, metadata }
  const changed = await changeFlag(write, transition)
  return { ...changed, result: { kind: 'written', flag: after, times: changed.result, warnings } }
}
