import type { Segment, SegmentInput, Warning } from '@burgee/contract'
import { addWarnings, type EnvironmentWrite, type WriteDeps, writeEnvironment } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { EnvironmentRead } from '../flag-model/index.ts'
import { type FlagRules, membersOf, type SegmentRename, type Segments, toRule } from '../rules/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { type ChangedSegment, changeSegment } from './change-segment.ts'
import { keyListsOf } from './key-lists.ts'
import { findSegment } from './queries.ts'
import { findSegmentWarnings } from './segment-warnings.ts'
import { validateSegment } from './validate-segment.ts'

export interface SegmentDeps extends WriteDeps {
  readonly newId: () => string
  /** Returns pending changes that name segments. `app/flag-writes.ts` provides it. */
  readonly listWaitingRules: (read: EnvironmentRead) => Promise<readonly FlagRules[]>
  /** Renames the segment in pending changes. `app/flag-writes.ts` provides it. */
  readonly onSegmentRenamed: (write: EnvironmentWrite, rename: SegmentRename) => Promise<void>
}

export interface WrittenSegmentResult {
  readonly segment: Segment
  readonly warnings: readonly Warning[]
}

/** The response to a write that has not deleted the segment. */
export async function toWritten(
  { dependents, segment }: ChangedSegment,
  segments: Segments,
): Promise<WrittenSegmentResult> {
  if (!segment) throw new Error('a segment that is written is there afterwards')
  return { segment, warnings: await findSegmentWarnings(segment, segments, dependents) }
}

/**
 * Creates a segment. Refuses with `conflict` when the key exists; flags that already name the key are sent
 * again.
 */
export async function createSegment(
  deps: SegmentDeps,
  actor: Actor,
  { environment_id, input }: { environment_id: string; input: SegmentInput },
): Promise<WrittenSegmentResult> {
  const content = {
    name: input.name,
    key: input.key,
    description: input.description ?? null,
    rules: (input.rules ?? []).map(toRule),
    ...keyListsOf(input),
  }
  await shareTurn()
  validateSegment(content, null)
  const work = async (write: EnvironmentWrite) => {
    if (await findSegment(write.tx, environment_id, content.key)) {
      throw conflict(`There is a segment "${content.key}" already.`)
    }
    const after = { id: deps.newId(), environment_id, ...content, created_at: write.now }
    const segments = new Map(await readSegments(write.tx, environment_id)).set(after.key, membersOf(after))
    const outcome = await changeSegment(deps, write, actor, { before: null, after, action: 'create' })
    return { ...outcome, result: await toWritten(outcome.result, segments) }
  }
  return writeEnvironment(deps, environment_id, actor, work, { withWarnings: addWarnings })
}
