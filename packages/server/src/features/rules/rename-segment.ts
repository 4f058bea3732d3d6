import type { TargetingRule } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/**
 * Returns the rules with every reference to one segment changed to another; the same array when there is
 * none.
 */
export function renameSegment(
  rules: readonly TargetingRule[],
  from: string,
  to: string,
): readonly TargetingRule[] {
  if (!rules.some((rule) => rule.segment_key === from)) return rules
  return rules.map((rule) => (rule.segment_key === from ? { ...rule, segment_key: to } : rule))
}

export interface SegmentRename {
  readonly from: string
  readonly to: string
}

/**
 * Renames a segment in JSON that has rules in its field `rules`, or in such a field of `patch` or `flag`:
 * what waits for approval or for its time. Returns the same value when it has no reference.
 */
export function renameSegmentInStored(stored: JsonValue, rename: SegmentRename): JsonValue {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored
  const entries = Object.entries(stored)
  const renamed = entries.map(([name, value]): [string, JsonValue] => {
    if (name === 'rules' && Array.isArray(value)) return [name, renameInRules(value, rename)]
    return [name, name === 'patch' || name === 'flag' ? renameSegmentInStored(value, rename) : value]
  })
  return renamed.every(([, value], index) => value === entries[index]?.[1])
    ? stored
    : Object.fromEntries(renamed)
}

function renameInRules(rules: JsonValue[], { from, to }: SegmentRename): JsonValue[] {
  const renamed = rules.map((rule) =>
    typeof rule === 'object' && rule !== null && !Array.isArray(rule) && rule.segment_key === from
      ? { ...rule, segment_key: to }
      : rule,
  )
  return renamed.every((rule, index) => rule === rules[index]) ? rules : renamed
}
