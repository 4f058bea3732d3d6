import {
  type EnvironmentWrite,
  type WriteDeps,
  type WriteOutcome,
  writeEnvironment,
} from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { REVIEWED_STATUS } from './change-request.ts'
import { findRequestedFlag } from './find-requested-flag.ts'
import { lockForReview, type ReviewInput } from './lock-for-review.ts'
import { findChange } from './preview-change.ts'
import { decideChangeRequest, type StoredChangeRequest } from './queries.ts'
import { toStoredRequest } from './to-change-request.ts'

/**
 * Withdraws a pending request. Refuses with `not_found` when it is decided, or belongs to another requester
 * and the actor is not a workspace admin.
 */
export async function cancelChangeRequest(
  deps: WriteDeps,
  actor: Actor,
  { environment_id, id, membership }: ReviewInput,
): Promise<void> {
  await writeEnvironment(deps, environment_id, actor, async (write) =>
    cancelRequest(write, await lockForReview(write, actor, { id, membership, review: 'cancel' })),
  )
}

export async function cancelRequest(
  write: EnvironmentWrite,
  request: StoredChangeRequest,
): Promise<WriteOutcome<undefined>> {
  const change = await findChange(request, await findRequestedFlag(write, request), write)
  const nothing = { reviewed_by: null, reason: null, review_comment: null, reviewed_at: null }
  const decision = { status: REVIEWED_STATUS.cancel, ...nothing, change }
  const decided = await decideChangeRequest(write.tx, request.id, decision)
  return {
    result: undefined,
    changes: [],
    audit: {
      action: 'change_request.cancel',
      flag_key: request.flag_key,
      before: toStoredRequest(request),
      after: toStoredRequest(decided),
      metadata: { origin: 'direct', change_request_id: request.id },
    },
    events: [],
  }
}
