import type { TargetingRule } from '@burgee/contract'

/** Rules with every reference to one segment turned into a reference to another; the same array when there is none. */
export function renameSegment(
  rules: readonly TargetingRule[],
  from: string,
  to: string,
): readonly TargetingRule[] {
  if (!rules.some((rule) => rule.segment_key === from)) return rules
  return rules.map((rule) => (rule.segment_key === from ? { ...rule, segment_key: to } : rule))
}
