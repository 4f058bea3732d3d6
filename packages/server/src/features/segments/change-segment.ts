import type { Flag, Segment } from '@burgee/contract'
import type { AuditAction, EnvironmentWrite, FlagChange, WriteOutcome } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden } from '../../kernel/refusal.ts'
import {
  listFlagsNamingSegments,
  readSegmentRules,
  renameSegment,
  type SegmentRules,
  saveFlag,
  segmentsBehind,
  toWireFlag,
} from '../flags/index.ts'
import { removeSegment, saveSegment } from './queries.ts'

export interface SegmentTransition {
  readonly before: Segment | null
  /** null deletes the segment. */
  readonly after: Segment | null
  readonly action: AuditAction
}

/**
 * Stores one segment's transition and sends every flag that depended on it, or now does, to SDKs again: one change for
 * each flag, directly or through other segments (specification, "Connection lifecycle" 5).
 */
export async function changeSegment<T>(
  write: EnvironmentWrite,
  actor: Actor,
  { action, after, before }: SegmentTransition,
  result: T,
): Promise<WriteOutcome<T>> {
  const segment = after ?? before
  if (!segment) throw new Error('a transition needs a segment before or after it')
  const rules_before = await readSegmentRules(write.tx, write.environment.id)
  if (after) await saveSegment(write.tx, after)
  else await removeSegment(write.tx, segment.id)
  const rename = before && after && before.key !== after.key ? { from: before.key, to: after.key } : null
  return {
    result,
    changes: await changeDependents(write, actor, {
      keys: new Set([before?.key, after?.key].filter((key) => key !== undefined)),
      rename,
      before: rules_before,
      after: await readSegmentRules(write.tx, write.environment.id),
    }),
    audit: {
      action,
      flag_key: '',
      before,
      after,
      metadata: { origin: 'direct', resource: `segment:${segment.key}` },
    },
    events: [],
  }
}

export interface SegmentEdit {
  /** The segment's key before and after. */
  readonly keys: ReadonlySet<string>
  readonly rename: { readonly from: string; readonly to: string } | null
  /** The rules of all segments before and after. */
  readonly before: SegmentRules
  readonly after: SegmentRules
}

/**
 * The changes to the flags that an edit of segments reaches. A flag that names the segment is written anew when the
 * segment's key has changed; then its own revision grows as well. Refuses with `forbidden` where what SDKs see of a flag
 * would change without the approval that the environment wants: that takes a workspace admin (contract, section 5).
 */
export async function changeDependents(
  write: EnvironmentWrite,
  actor: Actor,
  edit: SegmentEdit,
): Promise<FlagChange[]> {
  const is_free = !isGuarded(write.environment) || isWorkspaceAdmin(actor)
  const changes: FlagChange[] = []
  for (const flag of await listFlagsNamingSegments(write.tx, write.environment.id)) {
    const rules = edit.rename ? renameSegment(flag.rules, edit.rename.from, edit.rename.to) : flag.rules
    const is_rewritten = rules !== flag.rules
    if (!is_rewritten && (flag.archived_at !== null || !dependsOn(flag, edit))) continue
    const revision = is_rewritten ? write.next_revision + changes.length : flag.revision
    const current = { ...flag, rules: [...rules], revision }
    if (!is_free && !looksSame(flag, current, edit)) throw needsWorkspaceAdmin(flag.key)
    if (is_rewritten) await saveFlag(write.tx, write.environment.id, current, write.now)
    changes.push(
      flag.archived_at === null
        ? { kind: 'upsert', flag_key: flag.key, flag: toWireFlag(current, edit.after) }
        : { kind: 'none', flag_key: flag.key },
    )
  }
  return changes
}

function dependsOn({ rules }: Flag, { after, before, keys }: SegmentEdit): boolean {
  const behind = [...segmentsBehind(rules, before), ...segmentsBehind(rules, after)]
  return behind.some((key) => keys.has(key))
}

const looksSame = (flag: Flag, current: Flag, { after, before }: SegmentEdit): boolean =>
  JSON.stringify(toWireFlag(flag, before)) === JSON.stringify(toWireFlag(current, after))

const needsWorkspaceAdmin = (flag_key: string) =>
  forbidden(
    `This would change the flag "${flag_key}", whose changes need approval here. Ask a workspace admin to do it.`,
  )
