import type { ChangeRequest } from '@burgee/contract'
import { type Actor, actorIdentity, isWorkspaceAdmin, personBehind } from '../../kernel/actor.ts'
import { conflict, forbidden, notFound, type Refusal } from '../../kernel/refusal.ts'
import { mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'

type Status = ChangeRequest['status']
export type Review = 'approve' | 'reject' | 'cancel'

/** The states after a pending one. They are final (docs/reference/governance.md#change-requests). */
export const REVIEWED_STATUS = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
} as const satisfies Record<Review, Status>

interface Reviewed {
  readonly status: Status
  /** The identity of the requester (`actorIdentity`). */
  readonly requester: string
  /** The user behind the requester (`personBehind`). */
  readonly requester_user_id: number | null
}

/** The caller of a list, as its filters compare them with requests. */
export interface Caller {
  /** The identity (`actorIdentity`). */
  readonly identity: string
  /** The user behind the caller, who may not approve their own requests. */
  readonly person: number | null
  /** False when the caller may approve no request at all. */
  readonly mayApprove: boolean
  readonly isKey: boolean
}

/** Returns how an actor is compared with the requests of an environment (see `findReviewRefusal`). */
export const toCaller = (
  actor: Actor,
  scope: Pick<ProjectScope, 'membership'>,
  environment_id: string,
): Caller => ({
  identity: actorIdentity(actor),
  // A key approves nothing where every change needs approval.
  person: personBehind(actor, { isGuarded: false }),
  mayApprove: actor.kind === 'sdk_key' || mayInEnvironment(actor, scope, 'review_changes', environment_id),
  isKey: actor.kind === 'sdk_key',
})

/** An environment with its approval settings. */
interface Place {
  readonly isGuarded: boolean
}

/**
 * Returns why this actor may not review a request; null when they may. Two people are required: requesters
 * cannot approve their own requests or those of their keys, whatever their credential; where every change
 * needs approval, a key cannot decide. Cancelling another's request or a decided one is refused as if there
 * were none (docs/reference/governance.md#change-requests).
 */
export function findReviewRefusal(
  { requester, requester_user_id, status }: Reviewed,
  review: Review,
  actor: Actor,
  { isGuarded }: Place,
): Refusal | null {
  const isOwn = actorIdentity(actor) === requester
  if (review === 'cancel') {
    return status === 'pending' && (isOwn || isWorkspaceAdmin(actor)) ? null : notFound('change request')
  }
  if (isGuarded && actor.kind === 'sdk_key') {
    return forbidden(
      'An SDK key cannot approve or reject here: every change needs the approval of a user. Sign in.',
    )
  }
  if (review === 'approve') {
    if (isOwn) return forbidden('Another person must approve your request.')
    const person = personBehind(actor, { isGuarded: isGuarded })
    if (person !== null && person === requester_user_id) {
      return forbidden('Another person must approve a request of an SDK key that you created.')
    }
  }
  return status === 'pending' ? null : conflict(`The change request is ${status} already.`)
}
