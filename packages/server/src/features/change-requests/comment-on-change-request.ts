import { REQUEST_COMMENTS_MAX } from '@burgee/contract'
import { type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import { type Actor, actorName } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import type { ReviewInput } from './lock-for-review.ts'
import { addRequestComment, lockChangeRequest } from './queries.ts'

/** Adds a comment to the discussion of a request. Refuses with `not_found`, and `conflict` for too many. */
export async function commentOnChangeRequest(
  deps: WriteDeps,
  actor: Actor,
  { environment_id, id, text }: Omit<ReviewInput, 'membership'> & { readonly text: string },
): Promise<void> {
  // The text is the comment of this write as well, where the environment requires one.
  const author = { ...actor, comment: text }
  await writeEnvironment(deps, environment_id, author, async ({ now, tx }) => {
    const request = await lockChangeRequest(tx, environment_id, id)
    if (!request) throw notFound('change request')
    if (request.comments.length >= REQUEST_COMMENTS_MAX) {
      throw conflict(`A request has at most ${REQUEST_COMMENTS_MAX} comments.`)
    }
    const comments = [...request.comments, { author: actorName(actor), text, created_at: now }]
    await addRequestComment(tx, id, comments)
    const metadata = { origin: 'direct', resource: `change_request:${id}`, request_comment: text } as const
    const audit = { action: 'update', flag_key: '', before: null, after: null, metadata } as const
    return { result: undefined, changes: [], audit, events: [] }
  })
}
