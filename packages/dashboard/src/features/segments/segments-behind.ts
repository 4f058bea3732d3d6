import type { Segment, TargetingRule } from '@burgee/contract'

/** Segments of an environment by key. */
export type SegmentsByKey = ReadonlyMap<string, Pick<Segment, 'rules'>>

/** The segments that rules depend on, directly or through other segments. */
export function segmentsBehind(rules: readonly TargetingRule[], segments: SegmentsByKey): Set<string> {
  const found = new Set<string>()
  const pending = [...rules]
  for (let rule = pending.pop(); rule; rule = pending.pop()) {
    const key = rule.segment_key
    if (!key || found.has(key)) continue
    found.add(key)
    pending.push(...(segments.get(key)?.rules ?? []))
  }
  return found
}
