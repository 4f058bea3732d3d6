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

/** The request, held until the write ends, once it is sure that this actor may do this to it. */
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
