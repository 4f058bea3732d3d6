import type { EnvironmentWrite } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import { findReviewRefusal, type Review } from './change-request.ts'
import { lockChangeRequest, type StoredChangeRequest } from './queries.ts'

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
  const refusal = findReviewRefusal(request, review, actor, {
    membership,
    environment_id: environment.id,
    settings: environment,
  })
  if (refusal) throw refusal
  return request
}
