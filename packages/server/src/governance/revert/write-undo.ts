import type { Flag, RevertedChange, RevertResult, Segment } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'
import type { EnvironmentWrite, FlagChange, WrittenPart } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { diffJson } from '../../kernel/diff-json.ts'
import type { DomainEvent } from '../../kernel/domain-event.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { applyOperation, diffFlags, type FlagOperation } from '../../targeting/flag-model/index.ts'
import {
  changeFlag,
  type FlagWriteDeps,
  needsApproval,
  needsApprovalToExist,
} from '../../targeting/flag-operations/index.ts'
import { findWarnings, requireSendable } from '../../targeting/flags/index.ts'
import { reviseSegment, type SegmentDeps } from '../../targeting/segments/index.ts'
import type { PlannedSegment, PlannedUndo, RevertPlan } from './plan-revert.ts'

export type UndoDeps = FlagWriteDeps & SegmentDeps

/** The stored parts of an undo. */
export interface UndoWritten {
  readonly changes: FlagChange[]
  readonly parts: WrittenPart[]
  readonly events: DomainEvent[]
  readonly items: RevertedChange[]
  readonly change_requests: NonNullable<RevertResult['change_requests']>
}

/** Stores an undo. Flags are first: a segment that gets its earlier key again is renamed in their rules. */
export async function writeUndo(
  deps: UndoDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { flags, segments }: RevertPlan,
): Promise<UndoWritten> {
  const written: UndoWritten = { changes: [], parts: [], events: [], items: [], change_requests: [] }
  for (const [key, planned] of flags) {
    await shareTurn()
    const shifted = { ...write, nextRevision: write.nextRevision + written.changes.length }
    if (!isUnchanged(planned)) await undoFlag(deps, shifted, actor, { key, planned, written })
  }
  for (const planned of segments.values()) {
    await shareTurn()
    const shifted = { ...write, nextRevision: write.nextRevision + written.changes.length }
    if (!isUnchanged(planned)) await undoSegment(deps, shifted, actor, { planned, written })
  }
  return written
}

const isUnchanged = ({ after, before }: PlannedUndo<Flag | Segment>): boolean =>
  before !== null && after !== null && deepEqual(before, after)

interface FlagToUndo {
  readonly key: string
  readonly planned: PlannedUndo<Flag>
  readonly written: UndoWritten
}

async function undoFlag(
  deps: UndoDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { key, planned, written }: FlagToUndo,
): Promise<void> {
  const { audit_ids, before } = planned
  const operation = toOperation(planned)
  if (!operation) return
  const outcome = await applyOperation(before, operation, write)
  const archived_at = planned.after?.archived_at
  const after = outcome.after && {
    ...outcome.after,
    archived_at: typeof archived_at === 'string' ? archived_at : null,
  }
  // An undo edits fields, as a patch does: both approval scopes cover it.
  const isWaiting = before
    ? write.environment.require_approval || needsApproval(write.environment, operation.operation)
    : await needsApprovalToExist(deps, write, key)
  await requireSendable(write, after)
  const stored = isWaiting
    ? await deps.openChangeRequest(write, actor, { before, after, operation, scheduled_at: null })
    : await changeFlag(write, {
        ...{ before, after: after && { ...after, revision: write.nextRevision } },
        ...{ action: 'restore', event: outcome.event, origin: 'revert' },
        metadata: { reverts: audit_ids },
      })
  if ('id' in stored.result) written.change_requests.push({ id: stored.result.id, flag_key: key })
  written.changes.push(...stored.changes)
  written.parts.push({
    audit: {
      ...stored.audit,
      metadata: { ...stored.audit.metadata, origin: 'revert', reverts: audit_ids },
    },
    changes: stored.changes,
  })
  written.events.push(...stored.events)
  written.items.push({
    ...{ resource: 'flag', key, action: actionOf(before, after), audit_ids },
    changes: diffFlags(before, after),
    ...(isWaiting && { needs_approval: true }),
    warnings: after ? [...(await findWarnings(write, after))] : [],
  })
}

/** Returns the operation; null for a flag that does not exist, as before. */
function toOperation({ after, before }: PlannedUndo<Flag>): FlagOperation | null {
  // The fields are those of a stored flag, merged with fields of an earlier version.
  const flag = after as unknown as Flag | null
  if (!flag) return null
  if (!before) return { operation: 'replace', flag }
  const isOnlyArchived = deepEqual({ ...flag, archived_at: before.archived_at }, before)
  return isOnlyArchived && flag.archived_at !== null
    ? { operation: 'archive' }
    : { operation: 'restore', flag }
}

function actionOf(before: Flag | null, after: Flag | null): RevertedChange['action'] {
  if (!before) return 'create'
  if (before.archived_at === null && after && after.archived_at !== null) return 'archive'
  return before.archived_at !== null && after?.archived_at === null ? 'unarchive' : 'update'
}

async function undoSegment(
  deps: UndoDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { planned, written }: { readonly planned: PlannedSegment; readonly written: UndoWritten },
): Promise<void> {
  const { audit_ids, before, keptFlags } = planned
  // The fields are those of a stored segment, merged with fields of an earlier version.
  const after = planned.after as unknown as Segment | null
  if (!before && !after) return
  const { audit, changes, events } = await reviseSegment(deps, write, actor, { before, after, keptFlags })
  written.changes.push(...changes)
  const metadata = { ...audit.metadata, origin: 'revert', reverts: audit_ids } as const
  written.parts.push({ audit: { ...audit, metadata }, changes })
  written.events.push(...events)
  const removed = before ? ('delete' as const) : ('create' as const)
  written.items.push({
    ...{ resource: 'segment', key: (after ?? before)?.key ?? '', audit_ids },
    action: before && after ? 'update' : removed,
    changes: diffJson(contentFields(before), contentFields(after)),
    warnings: [],
  })
}

function contentFields(segment: Segment | null): object {
  if (!segment) return {}
  const { created_at: _c, environment_id: _e, id: _i, revision: _r, ...content } = segment
  return content
}
