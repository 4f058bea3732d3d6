import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { diffJson, type JsonDifference } from '../../kernel/diff-json.ts'

/**
 * How two states of a flag differ, field by field: every field of one that is created, and the whole of one that is deleted.
 * The revision is no part of what a flag is.
 */
export function diffFlags(before: Flag | null, after: Flag | null): JsonDifference[] {
  return diffJson(before ? withoutRevision(before) : {}, after && withoutRevision(after))
}

function withoutRevision({ revision: _, ...content }: Flag): Record<string, JsonValue> {
  return content
}
