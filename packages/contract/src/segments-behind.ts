import type { TargetingRule } from './schemas/rule.ts'

/** Returns the segments that a rule names: its own reference, then those of its conditions. */
export const segmentsNamedBy = ({ conditions = [], segment_key }: TargetingRule): string[] => [
  ...(segment_key ? [segment_key] : []),
  ...conditions.flatMap((condition) => ('segment_key' in condition ? [condition.segment_key] : [])),
]

export const namesSegment = (rule: TargetingRule): boolean => segmentsNamedBy(rule).length > 0

/** Returns the segments that rules depend on, directly or through other segments. */
export function segmentsBehind(
  rules: readonly TargetingRule[],
  segments: ReadonlyMap<string, { readonly rules: readonly TargetingRule[] }>,
): Set<string> {
  const found = new Set(rules.flatMap(segmentsNamedBy))
  // The set grows while it is read: each segment is added once.
  for (const key of found) {
    for (const rule of segments.get(key)?.rules ?? [])
      for (const named of segmentsNamedBy(rule)) found.add(named)
  }
  return found
}
