import { writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type Preconditions, requireRevision } from '../flag-model/index.ts'
import { changeSegment } from './change-segment.ts'
import type { SegmentDeps } from './create-segment.ts'
import { findSegment } from './queries.ts'

interface DeleteSegmentInput {
  readonly environment_id: string
  readonly key: string
  readonly preconditions: Preconditions
}

/** Deletes a segment. Rules that name it stay, and match no user (docs/reference/flags.md#segments). */
export async function deleteSegment(
  deps: SegmentDeps,
  actor: Actor,
  { environment_id, key, preconditions }: DeleteSegmentInput,
): Promise<void> {
  await writeEnvironment(deps, environment_id, actor, async (write) => {
    const before = await findSegment(write.tx, environment_id, key)
    if (!before) throw notFound('segment')
    requireRevision(before, preconditions, 'segment')
    return changeSegment(deps, write, actor, { before, after: null, action: 'delete' })
  })
}
