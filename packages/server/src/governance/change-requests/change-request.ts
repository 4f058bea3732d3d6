import type { ChangeRequest } from '@burgee/contract'
import { type Actor, actorIdentity, isWorkspaceAdmin, personBehind } from '../../kernel/actor.ts'
import { type ApprovalSwitch, type ApproverList, isApprover, isGuarded } from '../../kernel/approval.ts'
import { conflict, forbidden, notFound, type Refusal } from '../../kernel/refusal.ts'
import { grantIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import { reviewerIdentity } from './approvals.ts'

type Status = ChangeRequest['status']
/** `bypass` applies a request without the approval of others: for workspace admins. */
export type Review = 'approve' | 'bypass' | 'reject' | 'cancel'

/** The states after a pending one. They are final (docs/reference/governance.md#change-requests). */
export const REVIEWED_STATUS = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
} as const satisfies Partial<Record<Review, Status>>

interface Reviewed {
  readonly status: Status
  /** The identity of the requester (`actorIdentity`). */
  readonly requester: string
  /** The user behind the requester (`personBehind`). */
  readonly requester_user_id: number | null
  /** The ties of the reviewer by service accounts; absent for none. */
  readonly ties?: ReviewTies
}

/** The ties of a reviewer to a request by service accounts that one of them made. */
export interface ReviewTies {
  /** True when one person is behind the requester and the reviewer. */
  readonly isOwn: boolean
  /** True when one person is behind the reviewer and an approval under another name. */
  readonly hasApproved: boolean
}

/** The caller of a list, as its filters compare them with requests. */
export interface Caller {
  /** The identity (`actorIdentity`), and that under which the caller approves (`reviewerIdentity`). */
  readonly identity: string
  readonly reviewer: string
  /** The user behind the caller, who may not approve their own requests. */
  readonly person: number | null
  /** False when the caller may approve no request of the environment. */
  readonly mayApprove: boolean
}

/** An environment's approval settings. */
export type ApprovalSettings = ApprovalSwitch & ApproverList

/** The caller's place: the membership, and the environment of the requests with its settings. */
export interface ReviewPlace {
  readonly membership: ProjectScope['membership']
  readonly environment_id: string
  readonly settings: ApprovalSettings
}

/** Returns how an actor is compared with the requests of an environment (see `findReviewRefusal`). */
export function toCaller(actor: Actor, place: ReviewPlace): Caller {
  const guarded = isGuarded(place.settings)
  const may =
    !(guarded && isMachine(actor)) &&
    (actor.kind === 'sdk_key' || mayInEnvironment(actor, place, 'review_changes', place.environment_id))
  return {
    identity: actorIdentity(actor),
    reviewer: reviewerIdentity(actor),
    person: personBehind(actor, { isGuarded: guarded }),
    mayApprove: may && isApproverAt(actor, place),
  }
}

/** Returns whether a program asks: an SDK key or a service account. */
const isMachine = (actor: Actor): boolean => actor.kind === 'sdk_key' || actor.isServiceAccount === true

function isApproverAt(actor: Actor, { environment_id, membership, settings }: ReviewPlace): boolean {
  return isApprover(settings, actor, membership && grantIn(membership, environment_id).role)
}

/**
 * Returns why this actor may not review a request; null when they may. Two people are required: requesters
 * cannot approve their own requests or those of their keys, whatever their credential; where every change
 * needs approval, a key cannot decide. Canceling another's request or a decided one is refused as if there
 * were none (docs/reference/governance.md#change-requests).
 */
export function findReviewRefusal(
  { requester, requester_user_id, status, ties }: Reviewed,
  review: Review,
  actor: Actor,
  place: ReviewPlace,
): Refusal | null {
  const guarded = isGuarded(place.settings)
  const isOwn = actorIdentity(actor) === requester
  if (review === 'cancel') {
    return status === 'pending' && (isOwn || isWorkspaceAdmin(actor)) ? null : notFound('change request')
  }
  if (review === 'bypass' && !isWorkspaceAdmin(actor)) {
    return forbidden('Only a workspace admin may apply a change without the approval of others.')
  }
  if (guarded && isMachine(actor)) {
    const what = actor.kind === 'sdk_key' ? 'An SDK key' : 'A service account'
    return forbidden(
      `${what} cannot approve or reject here: every change needs the approval of a user. Sign in.`,
    )
  }
  if (review === 'approve') {
    if (isOwn) return forbidden('Another person must approve your request.')
    const person = personBehind(actor, { isGuarded: guarded })
    if (person !== null && person === requester_user_id) {
      return forbidden('Another person must approve a request of an SDK key that you created.')
    }
    if (ties?.isOwn) {
      return forbidden(
        'Another person must approve a request of a service account that you created, or a token of it.',
      )
    }
    if (ties?.hasApproved) {
      return conflict('You, or a service account that you created, have approved this request already.')
    }
    if (!isApproverAt(actor, place)) {
      return forbidden('Only the approvers of this environment can approve. Its settings list them.')
    }
  }
  return status === 'pending' ? null : conflict(`The change request is ${status} already.`)
}
