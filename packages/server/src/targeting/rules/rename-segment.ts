import { segmentsNamedBy, type TargetingRule } from '@burgee/contract'
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
  if (!rules.some((rule) => segmentsNamedBy(rule).includes(from))) return rules
  const renamed = <T extends object>(test: T): T =>
    'segment_key' in test && test.segment_key === from ? { ...test, segment_key: to } : test
  return rules.map((rule) => ({
    ...renamed(rule),
    ...(rule.conditions && { conditions: rule.conditions.map(renamed) }),
  }))
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

function renameInRules(rules: JsonValue[], rename: SegmentRename): JsonValue[] {
  const renamed = rules.map((rule) => renameInTest(rule, rename))
  return renamed.every((rule, index) => rule === rules[index]) ? rules : renamed
}

/** Renames a segment in a rule and its conditions, or in a condition. */
function renameInTest(test: JsonValue, rename: SegmentRename): JsonValue {
  if (typeof test !== 'object' || test === null || Array.isArray(test)) return test
  const { conditions, segment_key } = test
  const renamed = Array.isArray(conditions) ? renameInRules(conditions, rename) : conditions
  if (segment_key !== rename.from && renamed === conditions) return test
  return {
    ...test,
    ...(segment_key === rename.from && { segment_key: rename.to }),
    ...(renamed !== undefined && { conditions: renamed }),
  }
}
