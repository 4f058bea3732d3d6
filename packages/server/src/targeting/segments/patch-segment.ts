import type { SegmentPatch } from '@burgee/contract'
import { addWarnings, type EnvironmentWrite, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { type Preconditions, requireRevision } from '../flag-model/index.ts'
import { membersOf, renameSegment } from '../rules/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { changeSegment } from './change-segment.ts'
import { type SegmentDeps, toWritten, type WrittenSegmentResult } from './create-segment.ts'
import { findSegment } from './queries.ts'
import { rewriteReferences } from './rename-references.ts'
import { contentOf, patchContent } from './segment-content.ts'
import { validateSegment } from './validate-segment.ts'

export interface PatchSegmentInput {
  readonly environment_id: string
  readonly key: string
  readonly patch: SegmentPatch
  readonly preconditions: Preconditions
}

/**
 * Changes the given fields of a segment. A new key is written into every rule that names the old one, in the
 * same transaction. Refuses with `stale` when If-Match names another revision.
 */
export async function patchSegment(
  deps: SegmentDeps,
  actor: Actor,
  { environment_id, key, patch, preconditions }: PatchSegmentInput,
): Promise<WrittenSegmentResult> {
  const work = async (write: EnvironmentWrite) => {
    const before = await findSegment(write.tx, environment_id, key)
    if (!before) throw notFound('segment')
    requireRevision(before, preconditions, 'segment')
    await shareTurn()
    const { excluded_keys: _e, included_keys: _i, ...kept } = before
    const patched = { ...kept, ...patchContent(contentOf(before), patch) }
    await shareTurn()
    validateSegment(patched, before)
    await shareTurn()
    if (patched.key !== key) await rewriteReferences(deps, write, { from: key, to: patched.key })
    const after = { ...patched, rules: [...renameSegment(patched.rules, key, patched.key)] }
    const segments = new Map(await readSegments(write.tx, environment_id)).set(after.key, membersOf(after))
    const outcome = await changeSegment(deps, write, actor, { before, after, action: 'update' })
    return { ...outcome, result: await toWritten(outcome.result, segments) }
  }
  return writeEnvironment(deps, environment_id, actor, work, { withWarnings: addWarnings })
}
