import type { EnvironmentWrite } from '../../changes/index.ts'
import { type Actor, personBehind } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import { reviewerIdentity } from './approvals.ts'
import { findReviewRefusal, type Review, type ReviewTies } from './change-request.ts'
import { lockChangeRequest, type StoredChangeRequest } from './queries.ts'
import { readTies } from './tie-queries.ts'

export interface ReviewInput {
  readonly environment_id: string
  readonly id: number
  readonly membership: ProjectScope['membership']
}

interface Locking {
  readonly id: number
  readonly review: Review
  /** The membership of the actor in the project. */
  readonly membership: ProjectScope['membership']
}

/** Locks the request until the write ends, after checking that the actor may review it. */
export async function lockForReview(
  { environment, tx }: EnvironmentWrite,
  actor: Actor,
  { id, membership, review }: Locking,
): Promise<StoredChangeRequest> {
  const request = await lockChangeRequest(tx, environment.id, id)
  if (!request) throw notFound('change request')
  const ties = review === 'approve' ? await findTies(tx, actor, { environment, request }) : NO_TIES
  const refusal = findReviewRefusal({ ...request, ties }, review, actor, {
    membership,
    environment_id: environment.id,
    settings: environment,
  })
  if (refusal) throw refusal
  return request
}

const NO_TIES: ReviewTies = { isOwn: false, hasApproved: false }

/** Finds whether the reviewer and the requester, or an earlier approver, are made by one person. */
async function findTies(
  tx: EnvironmentWrite['tx'],
  actor: Actor,
  { environment, request }: { environment: EnvironmentWrite['environment']; request: StoredChangeRequest },
): Promise<ReviewTies> {
  const person = personBehind(actor, { isGuarded: isGuarded(environment) })
  if (person === null) return NO_TIES
  return readTies(tx, { id: request.id, person, identity: reviewerIdentity(actor) })
}
