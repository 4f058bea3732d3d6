import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { REVIEWED_STATUS } from './change-request.ts'
import { findRequestedFlag } from './find-requested-flag.ts'
import { lockForReview, type ReviewInput } from './lock-for-review.ts'
import { findChange } from './preview-change.ts'
import { decideChangeRequest } from './queries.ts'
import { toStoredRequest } from './to-change-request.ts'

/** Rejects a pending request. The flag does not change. Refuses with `not_found` and `conflict`. */
export async function rejectChangeRequest(
  deps: WriteDeps,
  actor: Actor,
  { environment_id, id, membership, reason }: ReviewInput & { readonly reason: string | null },
): Promise<void> {
  await writeEnvironment(deps, environment_id, actor, async (write) => {
    const request = await lockForReview(write, actor, { id, membership, review: 'reject' })
    const flag = (await findFlag(write.tx, environment_id, request.flag_key)) ?? null
    const change = await findChange(request, await findRequestedFlag(write, request), write)
    const decided = await decideChangeRequest(write.tx, id, {
      status: REVIEWED_STATUS.reject,
      reviewed_by: actorName(actor),
      reason,
      review_comment: actor.comment ?? null,
      reviewed_at: write.now,
      change,
    })
    const { flag_key } = request
    const change_request = toStoredRequest(decided)
    return {
      result: undefined,
      changes: [],
      audit: {
        action: 'change_request.reject',
        flag_key,
        before: toStoredRequest(request),
        after: change_request,
        metadata: { origin: 'direct', change_request_id: id },
      },
      events: [{ type: 'change_request.rejected', flag_key, flag, previous: null, change_request }],
    }
  })
}
