import type { Segment } from '@burgee/contract'
import type { AuditAction, EnvironmentWrite, FlagChange, WriteOutcome } from '../../changes/index.ts'
import {
  listFlagsNamingSegments,
  readSegmentRules,
  type SegmentRules,
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
  { action, after, before }: SegmentTransition,
  result: T,
): Promise<WriteOutcome<T>> {
  const segment = after ?? before
  if (!segment) throw new Error('a transition needs a segment before or after it')
  const rules_before = await readSegmentRules(write.tx, write.environment.id)
  if (after) await saveSegment(write.tx, after)
  else await removeSegment(write.tx, segment.id)
  const rules_after = withSegment(rules_before, before, after)
  const keys = new Set([before?.key, after?.key].filter((key) => key !== undefined))
  return {
    result,
    changes: await dependents(write, keys, rules_before, rules_after),
    audit: {
      action,
      flag_key: '',
      before,
      after,
      metadata: { origin: 'direct', resource: `segment:${segment.key}` },
    },
  }
}

function withSegment(rules: SegmentRules, before: Segment | null, after: Segment | null): SegmentRules {
  const changed = new Map(rules)
  if (before) changed.delete(before.key)
  if (after) changed.set(after.key, after.rules)
  return changed
}

async function dependents(
  write: EnvironmentWrite,
  keys: ReadonlySet<string>,
  before: SegmentRules,
  after: SegmentRules,
): Promise<FlagChange[]> {
  const flags = await listFlagsNamingSegments(write.tx, write.environment.id)
  return flags
    .filter((flag) => flag.archived_at === null)
    .filter((flag) => {
      const behind = [...segmentsBehind(flag.rules, before), ...segmentsBehind(flag.rules, after)]
      return behind.some((key) => keys.has(key))
    })
    .map((flag) => ({ kind: 'upsert', flag_key: flag.key, flag: toWireFlag(flag, after) }))
}
