import type { ChangeRequest } from '@burgee/contract'
import { type Actor, actorIdentity, isWorkspaceAdmin, personBehind } from '../../kernel/actor.ts'
import { conflict, forbidden, notFound, type Refusal } from '../../kernel/refusal.ts'

type Status = ChangeRequest['status']
export type Review = 'approve' | 'reject' | 'cancel'

/** From a pending request; nothing leads on from the other states (docs/reference/governance.md#change-requests). */
export const REVIEWED_STATUS = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
} as const satisfies Record<Review, Status>

interface Reviewed {
  readonly status: Status
  /** The identity of whoever asked (`actorIdentity`). */
  readonly requester: string
  /** The user behind them (`personBehind`). */
  readonly requester_user_id: number | null
}

/** Whose environment lets nothing through without an approval. */
interface Place {
  readonly isGuarded: boolean
}

/**
 * Why this actor may not do this to a request, or null. Four eyes: nobody approves what they or a key of theirs asked for, whatever
 * they came with; where nothing goes without an approval, a key decides nothing. Cancelling another's request or
 * one that is decided is as if there were none (docs/reference/governance.md#change-requests).
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
    return forbidden('An SDK key decides nothing here: every change needs the approval of a person. Sign in.')
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
