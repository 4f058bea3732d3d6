import { type Flag, type Segment, segmentsNamedBy } from '@burgee/contract'
import type { AuditAction, EnvironmentWrite, FlagChange, WriteOutcome } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, Refusal } from '../../kernel/refusal.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { type EnvironmentRead, toWireFlag } from '../flag-model/index.ts'
import { listFlagsNamingSegments, saveFlag } from '../flags/index.ts'
import { expandRules, type FlagRules, renameSegment, type Segments } from '../rules/index.ts'
import { readSegments } from '../segment-rows/index.ts'
import { type EditReach, findReach, isReached } from './edit-reach.ts'
import { removeSegment, saveSegment, type UnsavedSegment } from './queries.ts'

export interface SegmentTransition {
  readonly before: Segment | null
  /** The segment after the change; null deletes it. */
  readonly after: UnsavedSegment | null
  readonly action: AuditAction
  /** The flags whose rules keep the old key when the segment is renamed. */
  readonly keptFlags?: ReadonlySet<string>
}

/** The segment after a change; null when it was deleted. */
export interface ChangedSegment {
  readonly segment: Segment | null
  /** The flags that SDKs receive again. */
  readonly dependents: readonly Flag[]
}

/**
 * Stores one segment's transition and sends every flag that depended on it, or now does, to SDKs again: one
 * change for each flag, direct or through other segments (docs/reference/flags.md#segments).
 */
export async function changeSegment(
  deps: DependentsDeps,
  write: EnvironmentWrite,
  actor: Actor,
  { action, after: wanted, before, keptFlags }: SegmentTransition,
): Promise<WriteOutcome<ChangedSegment>> {
  const segment = wanted ?? before
  if (!segment) throw new Error('a transition needs a segment before or after it')
  const segmentsBefore = await readSegments(write.tx, write.environment.id)
  const after = wanted ? await saveSegment(write.tx, wanted) : null
  if (!after) await removeSegment(write.tx, segment.id)
  const rename = before && after && before.key !== after.key ? { from: before.key, to: after.key } : null
  const { changes, dependents, namedBefore, rewritten } = await changeDependents(deps, write, actor, {
    keys: new Set([before?.key, after?.key].filter((key) => key !== undefined)),
    rename,
    ...(keptFlags && { keptFlags }),
    before: segmentsBefore,
    after: await readSegments(write.tx, write.environment.id),
  })
  return {
    result: { segment: after, dependents },
    changes,
    audit: {
      action,
      flag_key: '',
      before,
      after,
      metadata: {
        origin: 'direct',
        resource: `segment:${segment.key}`,
        // Their rules were rewritten under this one entry.
        ...(rename && { flags: rewritten }),
        // An undo of the rename leaves them their key, which named no segment.
        ...(namedBefore.length > 0 && { named_before: namedBefore }),
      },
    },
    events: [],
  }
}

/** The look-ups of what depends on segments beside flags. */
export interface DependentsDeps {
  readonly listWaitingRules: (read: EnvironmentRead) => Promise<readonly FlagRules[]>
}

export interface SegmentEdit {
  /** The segment's key before and after. */
  readonly keys: ReadonlySet<string>
  readonly rename: { readonly from: string; readonly to: string } | null
  /** The flags whose rules keep the old key. */
  readonly keptFlags?: ReadonlySet<string>
  /** All segments before and after. */
  readonly before: Segments
  readonly after: Segments
}

export interface DependentChanges {
  readonly changes: readonly FlagChange[]
  /** The flags that SDKs receive again. */
  readonly dependents: readonly Flag[]
  /** The keys of the flags whose own rules now name the segment by its new key. */
  readonly rewritten: readonly string[]
  /** The keys of the flags whose own rules named the new key when no segment had it. */
  readonly namedBefore: readonly string[]
}

/**
 * Returns the changes to flags that an edit of segments affects. A flag that names the segment is rewritten
 * when the segment's key has changed, which raises its own revision too. Refuses with `forbidden` when flags
 * would change for SDKs without the approval that the environment requires, unless the actor is a workspace
 * admin (docs/reference/flags.md).
 */
export async function changeDependents(
  deps: DependentsDeps,
  write: EnvironmentWrite,
  actor: Actor,
  edit: SegmentEdit,
): Promise<DependentChanges> {
  const isFree = !isGuarded(write.environment) || isWorkspaceAdmin(actor)
  const reach = await findReach(edit)
  if (!isFree) await requireUntouched(await deps.listWaitingRules(write), edit, reach)
  const changes: FlagChange[] = []
  const dependents: Flag[] = []
  const rewritten: string[] = []
  const namedBefore: string[] = []
  for (const flag of await listFlagsNamingSegments(write.tx, write.environment.id)) {
    await shareTurn()
    if (edit.rename && namesSegment(flag, edit.rename.to)) namedBefore.push(flag.key)
    const rules = renamedRules(flag, edit)
    const isRewritten = rules !== flag.rules
    if (!isRewritten && !isReached(flag.rules, reach)) continue
    if (!isFree) await requireUntouched([{ flag_key: flag.key, rules }], edit, reach)
    if (!isRewritten && flag.archived_at !== null) continue
    const revision = isRewritten ? write.nextRevision + changes.length : flag.revision
    const current = { ...flag, rules: [...rules], revision }
    if (isRewritten) {
      await saveFlag(write, current)
      rewritten.push(flag.key)
    }
    if (flag.archived_at === null) dependents.push(current)
    changes.push(
      flag.archived_at === null
        ? { kind: 'upsert', flag_key: flag.key, flag: toWireFlag(current, edit.after) }
        : { kind: 'none', flag_key: flag.key },
    )
  }
  return { changes, dependents, rewritten, namedBefore }
}

/** Returns the same rules when the edit does not rename a segment in them. */
const renamedRules = ({ key, rules }: Flag, { keptFlags, rename }: SegmentEdit): FlagRules['rules'] =>
  rename && keptFlags?.has(key) !== true ? renameSegment(rules, rename.from, rename.to) : rules

const namesSegment = ({ rules }: Flag, key: string): boolean =>
  rules.some((rule) => segmentsNamedBy(rule).includes(key))

/**
 * Refuses when flags or pending changes would be affected: a reviewer approves the effect of a change, which
 * includes its segments at that time.
 */
async function requireUntouched(
  dependents: readonly FlagRules[],
  edit: SegmentEdit,
  reach: EditReach,
): Promise<void> {
  for (const { flag_key, rules } of dependents) {
    if (await isTouched(rules, edit, reach)) throw forbidden(describeTouched(flag_key))
  }
}

/**
 * Tests whether the edit changes what the rules expand to. They have the new key when it renames a segment.
 */
export async function isTouched(
  rules: FlagRules['rules'],
  edit: SegmentEdit,
  reach: EditReach,
): Promise<boolean> {
  await shareTurn()
  if (!isReached(rules, reach)) return false
  // `before` does not contain what references with the new key expanded to.
  if (edit.rename !== null) return true
  const before = expandedText(rules, edit.before)
  await shareTurn()
  return before !== expandedText(rules, edit.after)
}

/** Returns the expanded rules as text; null when they are too large, and therefore never sent. */
function expandedText(rules: FlagRules['rules'], segments: Segments): string | null {
  try {
    return JSON.stringify(expandRules(rules, segments, null))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

export const describeTouched = (flag_key: string): string =>
  `This would change the flag "${flag_key}", whose changes need approval here. A workspace admin can do it.`
