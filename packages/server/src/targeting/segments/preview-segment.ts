import {
  type Flag,
  SEGMENT_PREVIEW_CHANGES_MAX_BYTES,
  SEGMENT_PREVIEW_FLAGS_MAX,
  type SegmentPatch,
  type SegmentPreview,
} from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { diffJson } from '../../kernel/diff-json.ts'
import { inPart } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { expandRules, type FlagRules, renameSegment } from '../rules/index.ts'
import { describeTouched, isTouched, type SegmentEdit } from './change-segment.ts'
import { type EditReach, findReach } from './edit-reach.ts'
import { afterEdit, planEdit } from './plan-edit.ts'
import { type PreviewRead, type PreviewReadDeps, readForPreview } from './read-for-preview.ts'
import { findSegmentWarnings } from './segment-warnings.ts'

interface PreviewInput {
  readonly environment_id: string
  readonly key: string
  /** Null for a deletion. */
  readonly patch: SegmentPatch | null
}

/**
 * Previews the effects of a write of a segment on the flags that depend on it. Refuses what the write would
 * refuse, except for a missing approval, which is the `problem` of the preview. The transaction ends before
 * the computation starts, which yields between its steps.
 */
export async function previewSegment(
  deps: PreviewReadDeps,
  actor: Actor,
  { environment_id, key, patch }: PreviewInput,
): Promise<SegmentPreview> {
  const read = await readForPreview(deps, actor, { environment_id, key })
  // Thousands of rules are validated in one turn.
  await shareTurn()
  const { before, after, edit } = await inPart('/patch', () =>
    planEdit(read.segments, read.stored ?? null, { key, patch }),
  )
  const reach = await findReach(edit)
  const { dependents, flags } = await findEffects(read.flags, edit, reach)
  const warnings = after ? await findSegmentWarnings(after, edit.after, dependents) : []
  const problem = await findProblem(read, edit, reach)
  return { before, after, flag_count: dependents.length, flags, warnings, ...(problem && { problem }) }
}

/** Returns the flags that depend on the segment, and the differences of the first ones. */
async function findEffects(all: readonly Flag[], edit: SegmentEdit, reach: EditReach) {
  const dependents: Flag[] = []
  const flags: SegmentPreview['flags'] = []
  for (const flag of all) {
    await shareTurn()
    const current = flag.archived_at === null ? afterEdit(flag, edit, reach) : null
    if (!current) continue
    dependents.push(current)
    await shareTurn()
    // Refuses a flag that would exceed its bounds, whether or not its differences are shown.
    const willBe = expandRules(current.rules, edit.after, flag.flag_type)
    if (flags.length === SEGMENT_PREVIEW_FLAGS_MAX) continue
    await shareTurn()
    const was = expandRules(flag.rules, edit.before, flag.flag_type)
    await shareTurn()
    const changes = diffJson({ rules: was }, { rules: willBe })
    flags.push({ flag_key: flag.key, ...cut(changes) })
  }
  return { dependents, flags }
}

/** Returns why the caller cannot make the write; null when it needs no approval. */
async function findProblem(
  { flags, waiting }: PreviewRead,
  edit: SegmentEdit,
  reach: EditReach,
): Promise<string | null> {
  if (!waiting) return null
  const affected: FlagRules[] = [...waiting, ...flags.map(({ key, rules }) => ({ flag_key: key, rules }))]
  for (const { flag_key, rules } of affected) {
    if (await isTouched(renamed(rules, edit), edit, reach)) return describeTouched(flag_key)
  }
  return null
}

const renamed = (rules: FlagRules['rules'], { rename }: SegmentEdit): FlagRules['rules'] =>
  rename ? renameSegment(rules, rename.from, rename.to) : rules

function cut(
  changes: ReturnType<typeof diffJson>,
): Pick<SegmentPreview['flags'][number], 'changes' | 'is_cut'> {
  let bytes = 0
  const shown = changes.filter((change) => {
    bytes += JSON.stringify(change).length
    return bytes <= SEGMENT_PREVIEW_CHANGES_MAX_BYTES
  })
  return { changes: shown, is_cut: shown.length < changes.length }
}
