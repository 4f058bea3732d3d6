import type { Segment, TargetingRule } from '@burgee/contract'

/** The place that an expanded rule comes from. */
export interface RuleOrigin {
  /** Index into the flag's own rules, as people see them. */
  readonly rule_index: number
  /** The segments on the way, the flag's own reference first; empty for a rule of its own. */
  readonly segmentKeys: readonly string[]
}

/** A flag that expands to more is not sent to anyone. */
const VISITED_MAX = 10_000

/**
 * The origin of each rule that a flag's rules expand to, in order
 * (docs/reference/evaluation.md#rule-matching). The rules themselves come expanded from the server; this only
 * numbers them.
 */
export function findRuleOrigins(rules: readonly TargetingRule[], segments: readonly Segment[]): RuleOrigin[] {
  const byKey = new Map(segments.map((segment) => [segment.key, segment.rules]))
  const origins: RuleOrigin[] = []
  let visited = 0
  const visit = (rule: TargetingRule, origin: RuleOrigin): void => {
    visited += 1
    if (visited > VISITED_MAX) return
    const { segment_key } = rule
    if (!segment_key) {
      if (isTest(rule)) origins.push(origin)
      return
    }
    if (origin.segmentKeys.includes(segment_key)) return
    const inner = { ...origin, segmentKeys: [...origin.segmentKeys, segment_key] }
    for (const next of byKey.get(segment_key) ?? []) visit(next, inner)
  }
  rules.forEach((rule, rule_index) => {
    visit(rule, { rule_index, segmentKeys: [] })
  })
  return origins
}

const isTest = ({ attribute, operator, values }: TargetingRule): boolean =>
  attribute !== undefined && operator !== undefined && operator !== '' && values !== undefined
