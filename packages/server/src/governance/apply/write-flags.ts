import type { AppliedChange, ApplyInput, ApplyResult } from '@burgee/contract'
import type { EnvironmentWrite, FlagChange, WriteOutcome, WrittenPart } from '../../changes/index.ts'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import type { DomainEvent } from '../../kernel/domain-event.ts'
import { invalid, type ProblemDetail } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { diffFlags } from '../../targeting/flag-model/index.ts'
import {
  type CreationDeps,
  changeFlag,
  type FlagWriteDeps,
  needsApproval,
  needsApprovalToExist,
} from '../../targeting/flag-operations/index.ts'
import { findWarnings, requireSendable } from '../../targeting/flags/index.ts'
import { findUnknownInFlag } from './find-unknown.ts'
import { type PlannedFlag, problemsOf } from './plan-flags.ts'
import { findWaitingRequest } from './queries.ts'

/** The changes of the flags of an apply. */
export interface FlagsApplied {
  readonly items: readonly AppliedChange[]
  readonly changes: readonly FlagChange[]
  readonly parts: readonly WrittenPart[]
  readonly events: readonly DomainEvent[]
  readonly change_requests: NonNullable<ApplyResult['change_requests']>
}

interface FlagsToWrite {
  readonly input: ApplyInput
  readonly planned: readonly PlannedFlag[]
}

/**
 * Stores the planned flags, or opens change requests where the environment requires approval. Warnings are
 * computed when all are stored, so the order in the file does not matter. Refuses with every problem.
 */
export async function writeFlags(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { input, planned }: FlagsToWrite,
): Promise<FlagsApplied> {
  const changes: FlagChange[] = []
  const parts: WrittenPart[] = []
  const events: DomainEvent[] = []
  const change_requests: NonNullable<ApplyResult['change_requests']> = []
  const problems: ProblemDetail[] = []
  const waiting = new Set<PlannedFlag>()
  for (const one of planned) {
    await shareTurn()
    const isWaiting = await isReviewed(deps, write, one)
    if (isWaiting) waiting.add(one)
    const open = isWaiting ? await findOpenRequest(write, actor, one) : null
    if (open !== null) {
      change_requests.push({ id: open, flag_key: one.after.key })
      continue
    }
    try {
      const outcome = isWaiting
        ? await requestChange(deps, write, actor, one)
        : await storeChange({ ...write, nextRevision: write.nextRevision + changes.length }, one)
      if (outcome.result) change_requests.push({ id: outcome.result.id, flag_key: one.after.key })
      changes.push(...outcome.changes)
      const audit = { ...outcome.audit, metadata: { ...outcome.audit.metadata, origin: 'apply' as const } }
      parts.push({ audit, changes: outcome.changes })
      events.push(...outcome.events)
    } catch (error) {
      problems.push(...problemsOf(error, one.path ?? '/prune'))
    }
  }
  if (problems.length > 0) throw invalid(problems)
  const items: AppliedChange[] = []
  for (const one of planned) items.push(await toItem(write, input, { one, isWaiting: waiting.has(one) }))
  return { items, changes, parts, events, change_requests }
}

/** An edit is a patch, also where no merge patch can express it and the flag is replaced. */
async function isReviewed(
  deps: CreationDeps,
  write: EnvironmentWrite,
  { after, before, operation }: PlannedFlag,
) {
  if (!before) return needsApprovalToExist(deps, write, after.key)
  const kind = operation.operation === 'replace' ? 'patch' : operation.operation
  return needsApproval(write.environment, kind)
}

/** A pipeline applies the same file again while its request waits: the request stays the only one. */
const findOpenRequest = ({ environment, tx }: EnvironmentWrite, actor: Actor, one: PlannedFlag) =>
  findWaitingRequest(tx, environment.id, {
    flag_key: one.after.key,
    operation: one.operation,
    requester: actorIdentity(actor),
  })

async function requestChange(
  deps: FlagWriteDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { after, before, operation }: PlannedFlag,
): Promise<WriteOutcome<{ readonly id: number } | undefined>> {
  await requireSendable(write, after)
  return deps.openChangeRequest(write, actor, { before, after, operation, scheduled_at: null })
}

async function storeChange(
  write: EnvironmentWrite,
  { after, before, recorded }: PlannedFlag,
): Promise<WriteOutcome<undefined>> {
  const stored = { ...after, revision: write.nextRevision }
  const changed = await changeFlag(write, { before, after: stored, ...recorded, origin: 'apply' })
  return { ...changed, result: undefined }
}

async function toItem(
  write: EnvironmentWrite,
  { flags = [] }: ApplyInput,
  { isWaiting, one }: { readonly one: PlannedFlag; readonly isWaiting: boolean },
): Promise<AppliedChange> {
  const { after, before, path } = one
  await shareTurn()
  const fields = path === null ? undefined : flags[Number(path.slice('/flags/'.length))]
  const unknown = fields ? findUnknownInFlag(fields) : []
  return {
    resource: 'flag',
    key: after.key,
    action: actionOf(one),
    base_revision: before?.revision ?? 0,
    changes: diffFlags(before, after),
    ...(isWaiting && { needs_approval: true }),
    warnings: [...(await findWarnings(write, after)), ...unknown],
  }
}

function actionOf({ after, before }: PlannedFlag): AppliedChange['action'] {
  if (!before) return 'create'
  if (before.archived_at === null && after.archived_at !== null) return 'archive'
  if (before.archived_at !== null && after.archived_at === null) return 'unarchive'
  return 'update'
}
