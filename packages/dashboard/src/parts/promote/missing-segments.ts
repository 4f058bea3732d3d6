import { type Segment, segmentsBehind, type TargetingRule } from '@burgee/contract'

/**
 * The segments behind the rules, however deep, that the source has and the target lacks: those that
 * `copy_segments` would copy. A segment that neither has is nothing that could be copied.
 */
export function missingSegments(
  rules: readonly TargetingRule[],
  { source, target }: { readonly source: readonly Segment[]; readonly target: readonly Segment[] },
): string[] {
  const there = new Set(target.map(({ key }) => key))
  const known = new Map(source.map((segment) => [segment.key, segment]))
  return [...segmentsBehind(rules, known)].filter((key) => known.has(key) && !there.has(key)).sort()
}
