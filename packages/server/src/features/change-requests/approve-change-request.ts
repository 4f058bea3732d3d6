import type { Flag } from '@burgee/contract'
import { type EnvironmentWrite, type WriteOutcome, writeEnvironment } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { applyOperation, type FlagWriteDeps, findFlag, performOperation } from '../flags/index.ts'
import { insertScheduledChange } from '../scheduled-changes/index.ts'
import { cancelRequest } from './cancel-change-request.ts'
import { REVIEWED_STATUS } from './change-request.ts'
import { decideChangeRequest, type StoredChangeRequest } from './queries.ts'
import { readOperation } from './read-operation.ts'
import { type ReviewInput, takeForReview } from './take-for-review.ts'
import { toToldRequest } from './to-change-request.ts'

export interface ApproveDeps extends FlagWriteDeps {
  readonly newId: () => string
  /** A scheduled change was stored; it may be due already. */
  readonly onScheduled: () => void
}

/**
 * Applies a pending change to the flag as it is now, or schedules it. Gives the flag; a deleted one as it was. Refuses with
 * `not_found` (unknown; or the flag is gone, and then the request is cancelled), `forbidden` (one's own), `conflict` (not
 * pending) and `invalid` (it no longer fits, and stays pending).
 */
export async function approveChangeRequest(
  deps: ApproveDeps,
  actor: Actor,
  { environment_id, id }: ReviewInput,
): Promise<Flag> {
  const flag = await writeEnvironment(deps, environment_id, actor, async (write) => {
    const request = await takeForReview(write, actor, { id, review: 'approve' })
    const before = await findFlag(write.tx, environment_id, request.flag_key)
    if (!before) return { ...(await cancelRequest(write, request)), result: null }
    return approve(deps, write, actor, { request, before })
  })
  if (!flag) throw notFound('flag any more; the change request is cancelled')
  deps.onScheduled()
  return flag
}

interface Approved {
  readonly request: StoredChangeRequest
  readonly before: Flag
}

async function approve(
  deps: ApproveDeps,
  write: EnvironmentWrite,
  actor: Actor,
  approved: Approved,
): Promise<WriteOutcome<Flag>> {
  const { before, request } = approved
  const outcome = await doOrSchedule(deps, write, approved)
  const decided = await decideChangeRequest(write.tx, request.id, {
    status: REVIEWED_STATUS.approve,
    reviewed_by: actorName(actor),
    reason: null,
    reviewed_at: write.now,
  })
  const flag = outcome.result ?? before
  const event = {
    type: 'change_request.approved',
    flag_key: request.flag_key,
    flag: outcome.result,
    previous: before,
    change_request: toToldRequest(decided),
  } as const
  const metadata = {
    ...outcome.audit.metadata,
    change_request_id: request.id,
    operation: request.operation,
    requested_by: request.requested_by,
  }
  return {
    result: flag,
    changes: outcome.changes,
    audit: { ...outcome.audit, action: 'change_request.approve', metadata },
    events: [event, ...outcome.events],
  }
}

async function doOrSchedule(
  deps: ApproveDeps,
  write: EnvironmentWrite,
  { before, request }: Approved,
): Promise<WriteOutcome<Flag | null>> {
  const operation = readOperation(request.body)
  if (request.scheduled_at === null) {
    const outcome = await performOperation(deps, write, { before, operation, origin: 'change_request' })
    return { ...outcome, result: outcome.result.flag }
  }
  applyOperation(before, operation, write.now)
  await insertScheduledChange(write.tx, {
    id: deps.newId(),
    environment_id: write.environment.id,
    flag_key: request.flag_key,
    scheduled_at: request.scheduled_at,
    patch: request.patch,
    scheduled_by: request.requested_by,
    change_request_id: request.id,
    created_at: write.now,
  })
  const metadata = { origin: 'change_request', scheduled_at: request.scheduled_at } as const
  const audit = { action: 'schedule', flag_key: before.key, before, after: before, metadata } as const
  return { result: before, changes: [], audit, events: [] }
}
