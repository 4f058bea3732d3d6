import { writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { changeSegment } from './change-segment.ts'
import type { SegmentDeps } from './create-segment.ts'
import { findSegment } from './queries.ts'

/** Deletes a segment. Rules that name it stay, and match no user (docs/reference/flags.md#segments). */
export async function deleteSegment(
  deps: SegmentDeps,
  actor: Actor,
  { environment_id, key }: { environment_id: string; key: string },
): Promise<void> {
  await writeEnvironment(deps, environment_id, actor, async (write) => {
    const before = await findSegment(write.tx, environment_id, key)
    if (!before) throw notFound('segment')
    return changeSegment(deps, write, actor, { before, after: null, action: 'delete' }, undefined)
  })
}
