import type { Segment, TargetingRule } from '@burgee/contract'

/**
 * The segments behind the rules, however deep, that the source has and the target lacks: those that
 * `copy_segments` would copy. A segment that neither has is nothing that could be copied.
 */
export function missingSegments(
  rules: readonly TargetingRule[],
  { source, target }: { readonly source: readonly Segment[]; readonly target: readonly Segment[] },
): string[] {
  const rulesByKey = new Map(source.map((segment) => [segment.key, segment.rules]))
  const there = new Set(target.map(({ key }) => key))
  const found = new Set<string>()
  const waiting = [...rules]
  for (let rule = waiting.pop(); rule; rule = waiting.pop()) {
    const key = rule.segment_key
    const behind = key === undefined ? undefined : rulesByKey.get(key)
    if (key === undefined || !behind || found.has(key)) continue
    found.add(key)
    waiting.push(...behind)
  }
  return [...found].filter((key) => !there.has(key)).sort()
}
