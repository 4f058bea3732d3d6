import type { Flag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { diffJson, type JsonDifference } from '../../kernel/diff-json.ts'

/**
 * Returns the differences between two states of a flag by field: every field of a created one, and the whole
 * of a deleted one. The revision does not count.
 */
export function diffFlags(before: Flag | null, after: Flag | null): JsonDifference[] {
  return diffJson(before ? withoutRevision(before) : {}, after && withoutRevision(after))
}

function withoutRevision({ revision: _, ...content }: Flag): Record<string, JsonValue> {
  return content
}
