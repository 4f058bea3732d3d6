import { OWN_READER_COMMENTS_MAX, READER_COMMENTS_MAX, REQUEST_COMMENTS_MAX } from '@burgee/contract'
import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import { type Actor, actorIdentity, actorName } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import type { ReviewInput } from './lock-for-review.ts'
import { addRequestComment, lockChangeRequest, type StoredChangeRequest } from './queries.ts'

interface CommentInput extends Omit<ReviewInput, 'membership'> {
  readonly text: string
  readonly mayReview: boolean
}

/**
 * Adds a comment to the discussion of a request. Refuses with `not_found`, and `conflict` for too many. Half
 * of the discussion is for reviewers and the requester, so that others cannot fill it.
 */
export async function commentOnChangeRequest(
  deps: WriteDeps,
  actor: Actor,
  { environment_id, id, mayReview, text }: CommentInput,
): Promise<void> {
  // The text is the comment of this write as well, where the environment requires one.
  const author = { ...actor, comment: text }
  await writeEnvironment(deps, environment_id, author, async ({ now, tx }) => {
    const request = await lockChangeRequest(tx, environment_id, id)
    if (!request) throw notFound('change request')
    requireRoom(request, actor, mayReview)
    const comments = [...request.comments, { author: actorName(actor), text, created_at: now }]
    await addRequestComment(tx, id, comments)
    const metadata = { origin: 'direct', resource: `change_request:${id}`, request_comment: text } as const
    const audit = { action: 'update', flag_key: '', before: null, after: null, metadata } as const
    return { result: undefined, changes: [], audit, events: [] }
  })
}

function requireRoom(
  { comments, requester, requester_user_id }: StoredChangeRequest,
  actor: Actor,
  mayReview: boolean,
): void {
  if (comments.length >= REQUEST_COMMENTS_MAX)
    throw conflict(`A request has at most ${REQUEST_COMMENTS_MAX} comments.`)
  const isRequester =
    requester === actorIdentity(actor) || (actor.kind === 'user' && requester_user_id === actor.user_id)
  if (mayReview || isRequester) return
  if (comments.length >= READER_COMMENTS_MAX)
    throw conflict(
      `The request has ${comments.length} comments, and further ones are for its reviewers and its requester.`,
    )
  const own = comments.filter(({ author }) => author === actorName(actor)).length
  if (own >= OWN_READER_COMMENTS_MAX)
    throw conflict(
      `You have written ${own} comments here. Those who neither review nor requested the change write at most ${OWN_READER_COMMENTS_MAX}.`,
    )
}
