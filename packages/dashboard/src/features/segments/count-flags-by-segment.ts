import { type Flag, type Segment, segmentsBehind } from '@burgee/contract'

/**
 * The number of flags that depend on each segment, directly or through others. A segment that none needs is
 * absent.
 */
export function countFlagsBySegment(
  flags: readonly Flag[],
  segments: readonly Segment[],
): ReadonlyMap<string, number> {
  const byKey = new Map(segments.map((segment) => [segment.key, segment]))
  const counts = new Map<string, number>()
  for (const { rules } of flags) {
    for (const key of segmentsBehind(rules, byKey)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
