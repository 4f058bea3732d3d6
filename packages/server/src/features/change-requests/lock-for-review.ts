import type { EnvironmentWrite } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { notFound } from '../../kernel/refusal.ts'
import { findReviewRefusal, type Review } from './change-request.ts'
import { lockChangeRequest, type StoredChangeRequest } from './queries.ts'

export interface ReviewInput {
  readonly environment_id: string
  readonly id: number
}

/** Locks the request until the write ends, after checking that the actor may review it. */
export async function lockForReview(
  { environment, tx }: EnvironmentWrite,
  actor: Actor,
  { id, review }: { readonly id: number; readonly review: Review },
): Promise<StoredChangeRequest> {
  const request = await lockChangeRequest(tx, environment.id, id)
  if (!request) throw notFound('change request')
  const refusal = findReviewRefusal(request, review, actor, { isGuarded: isGuarded(environment) })
  if (refusal) throw refusal
  return request
}
