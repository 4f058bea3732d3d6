import type { ChangeRequest, Flag, Warning, WrittenFlag } from '@burgee/contract'
import {
  addWarnings,
  type EnvironmentWrite,
  type WriteOutcome,
  writeEnvironment,
} from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { conflict, invalid, Refusal } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { StoredApproval } from '../../platform/db/tables.ts'
import { applyOperation, readStoredOperation } from '../../targeting/flag-model/index.ts'
import {
  applyAndRecord,
  type FlagWriteDeps,
  type WrittenFlagResult,
} from '../../targeting/flag-operations/index.ts'
import { readFlagTimes, requireSendable } from '../../targeting/flags/index.ts'
import type { RecordImpact } from '../../targeting/stored-impacts/index.ts'
import {
  insertScheduledChange,
  lockPendingChange,
  planImpact,
  removeScheduledChange,
} from '../scheduled-changes/index.ts'
import { addApproval, countApprovals } from './approvals.ts'
import { cancelRequest } from './cancel-change-request.ts'
import { REVIEWED_STATUS } from './change-request.ts'
import { findRequestedFlag } from './find-requested-flag.ts'
import { lockForReview, type ReviewInput } from './lock-for-review.ts'
import { FLAG_EXISTS, findChange, SCHEDULE_GONE } from './preview-change.ts'
import { decideChangeRequest, putApprovals, type StoredChangeRequest } from './queries.ts'
import { findApprovals } from './reviewer-queries.ts'
import { toChangeRequest, toStoredRequest } from './to-change-request.ts'

export interface ApproveDeps extends FlagWriteDeps {
  readonly newId: () => string
  readonly recordImpact: RecordImpact
  /** Called after a scheduled change was stored, which may be due already. */
  readonly onScheduled: () => void
}

interface ApproveInput extends ReviewInput {
  readonly seenRevision?: number | undefined
  /** The revision of the environment on which the approval was decided. */
  readonly atRevision?: number | undefined
  /** Why a workspace admin applies it without the approval of others; null for an approval. */
  readonly bypassReason: string | null
}

/** The flag after a change that was applied, or the request while it needs further approvals. */
export type ApprovalResult =
  | { readonly kind: 'applied'; readonly flag: WrittenFlag }
  | { readonly kind: 'recorded'; readonly request: ChangeRequest }

/**
 * Applies a pending change to the current flag, or schedules it. Returns the flag; a deleted one as it was.
 * Where more people must approve, the approval is recorded. It counts while the flag stays as it is, and
 * while its reviewer may review.
 * Refuses with `not_found` (unknown; or the flag does not exist any more, and the request is canceled),
 * `forbidden` (the actor's own request), `conflict` (not pending, or the flag is not the one that the
 * reviewer saw) and `invalid` (the change does not fit any more; the request stays pending).
 */
export async function approveChangeRequest(
  deps: ApproveDeps,
  actor: Actor,
  { atRevision, bypassReason, environment_id, id, membership, seenRevision }: ApproveInput,
): Promise<ApprovalResult> {
  const work = async (write: EnvironmentWrite): Promise<WriteOutcome<ApprovalResult | null>> => {
    const review = bypassReason === null ? 'approve' : 'bypass'
    const request = await lockForReview(write, actor, { id, membership, review })
    const before = (await findRequestedFlag(write, request)) ?? null
    const isCreation = request.operation === 'create'
    if (before && isCreation) throw invalid([{ path: '', message: FLAG_EXISTS }])
    if (!before && !isCreation) return { ...(await cancelRequest(write, request)), result: null }
    requireSeen(before, seenRevision)
    const earlier = (await findApprovals(write.tx, [id])).get(id) ?? []
    const given = { approvals: earlier, flag: before, now: write.now }
    const approvals = bypassReason === null ? addApproval(actor, given) : earlier
    if (bypassReason === null && countApprovals(approvals) < write.environment.min_approvals) {
      return record(write, { request, approvals })
    }
    const outcome = await approve(deps, write, actor, { request, before, approvals, bypassReason })
    return { ...outcome, result: { kind: 'applied', flag: outcome.result } }
  }
  const done = await writeEnvironment(deps, environment_id, actor, work, { atRevision, withWarnings: toFlag })
  if (!done) throw flagDeleted()
  if (done.kind === 'applied') deps.onScheduled()
  return done
}

/** Adds warnings to the flag that an approval has changed. */
const toFlag = (done: ApprovalResult | null, warnings: readonly Warning[]): ApprovalResult | null =>
  done?.kind === 'applied' ? { ...done, flag: addWarnings(done.flag, warnings) } : done

/** Stores an approval of a request that needs more of them. */
async function record(
  write: EnvironmentWrite,
  { approvals, request }: Pick<Approved, 'approvals' | 'request'>,
): Promise<WriteOutcome<ApprovalResult>> {
  const stored = await putApprovals(write.tx, request.id, approvals)
  const needed = write.environment.min_approvals
  return {
    result: {
      kind: 'recorded',
      request: toChangeRequest(stored, { comments: null, preview: null, decided_change: null }),
    },
    changes: [],
    audit: {
      action: 'change_request.approve',
      flag_key: request.flag_key,
      before: toStoredRequest(request),
      after: toStoredRequest(stored),
      metadata: {
        origin: 'direct',
        change_request_id: request.id,
        approvals: { given: countApprovals(approvals), needed },
      },
    },
    events: [],
  }
}

const flagDeleted = () =>
  new Refusal('not_found', 'The flag was deleted meanwhile, so the change request was canceled.')

/** Refuses when the flag has changed since the revision that the reviewer saw. */
function requireSeen(flag: Flag | null, seen: number | undefined): void {
  if (seen === undefined || seen === flag?.revision) return
  if (!flag) throw conflict('The flag does not exist, so it has no revision. Approve without `revision`.')
  throw conflict(
    `The flag "${flag.key}" was changed since you looked at it; its revision is now ${flag.revision}. Look at the change again before you approve it.`,
  )
}

interface Approved {
  readonly request: StoredChangeRequest
  readonly before: Flag | null
  readonly approvals: readonly StoredApproval[]
  readonly bypassReason: string | null
}

async function approve(
  deps: ApproveDeps,
  write: EnvironmentWrite,
  actor: Actor,
  approved: Approved,
): Promise<WriteOutcome<WrittenFlag>> {
  const { approvals, before, bypassReason, request } = approved
  const outcome = await applyOrSchedule(deps, write, approved)
  const { flag, times, warnings } = outcome.result
  const shown = flag ?? before
  if (!shown) throw new Error('an approval needs a flag before or after it')
  const change =
    request.scheduled_at === null
      ? { before, after: flag }
      : await findChange(request, before ?? undefined, write)
  const decided = await decideChangeRequest(write.tx, request.id, {
    status: REVIEWED_STATUS.approve,
    reviewed_by: actorName(actor),
    reason: null,
    approvals,
    bypass_reason: bypassReason,
    review_comment: actor.comment ?? null,
    reviewed_at: write.now,
    change,
  })
  const event = {
    type: 'change_request.approved',
    flag_key: request.flag_key,
    flag,
    previous: before,
    change_request: toStoredRequest(decided),
  } as const
  const metadata = {
    ...outcome.audit.metadata,
    change_request_id: request.id,
    operation: request.operation,
    requested_by: request.requested_by,
    ...(bypassReason !== null && { bypass_reason: bypassReason }),
    ...(request.comment !== null && { request_comment: request.comment }),
  }
  return {
    result: withWarnings({ ...shown, ...times }, warnings),
    changes: outcome.changes,
    audit: { ...outcome.audit, action: 'change_request.approve', metadata },
    events: [event, ...outcome.events],
  }
}

type ShownFlag = Omit<WrittenFlagResult, 'kind'>

async function applyOrSchedule(
  deps: ApproveDeps,
  write: EnvironmentWrite,
  { before, request }: Pick<Approved, 'before' | 'request'>,
): Promise<WriteOutcome<ShownFlag>> {
  const operation = await readStoredOperation(request.body)
  if (operation.operation === 'unschedule' && before) {
    return withdraw(write, before, operation.scheduled_change_id)
  }
  // Only a flag that exists can be changed later.
  if (request.scheduled_at === null || !before) {
    return applyAndRecord(deps, write, { before, operation, origin: 'change_request' })
  }
  const { after } = await applyOperation(before, operation, write)
  await requireSendable(write, after)
  const change = await insertScheduledChange(write.tx, {
    id: deps.newId(),
    environment_id: write.environment.id,
    flag_key: request.flag_key,
    scheduled_at: request.scheduled_at,
    patch: request.patch,
    scheduled_by: request.requested_by,
    comment: request.comment,
    change_request_id: request.id,
    created_at: write.now,
  })
  planImpact(deps, write, change)
  const metadata = { origin: 'change_request', scheduled_at: request.scheduled_at } as const
  const audit = { action: 'schedule', flag_key: before.key, before, after: before, metadata } as const
  return { result: await unchanged(write, before), changes: [], audit, events: [] }
}

async function withdraw(
  write: EnvironmentWrite,
  flag: Flag,
  scheduled_change_id: string,
): Promise<WriteOutcome<ShownFlag>> {
  const change = await lockPendingChange(write.tx, write.environment.id, scheduled_change_id)
  if (!change) throw invalid([{ path: '', message: SCHEDULE_GONE }])
  await removeScheduledChange(write.tx, scheduled_change_id)
  const metadata = { origin: 'change_request', scheduled_change_id } as const
  const audit = { action: 'unschedule', flag_key: flag.key, before: flag, after: flag, metadata } as const
  return { result: await unchanged(write, flag), changes: [], audit, events: [] }
}

async function unchanged({ environment, tx }: EnvironmentWrite, flag: Flag): Promise<ShownFlag> {
  return { flag, times: await readFlagTimes(tx, environment.id, flag.key), warnings: [] }
}
