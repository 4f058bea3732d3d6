import type { TargetingRule } from '@burgee/contract'
import type { Condition, TargetingRule as ExpandedRule } from '@burgee/evaluation'
import { invalid } from '../../kernel/refusal.ts'

/** Segments may name segments; this many rules are the most that one flag may come to on the wire. */
const EXPANDED_RULES_MAX = 10_000

/** The rules of each segment of an environment, by segment key. */
export type SegmentRules = ReadonlyMap<string, readonly TargetingRule[]>

/**
 * Replaces each reference to a segment by the segment's rules (specification, "Rule matching"). The reference hands its
 * conditions, and its variant where the segment's rule has none, to each of them. Segments are expanded recursively; an unknown
 * segment and a cycle come to nothing (contract, section 5).
 *
 * Refuses with `invalid` when more than 10,000 rules come out.
 */
export function expandRules(rules: readonly TargetingRule[], segments: SegmentRules): ExpandedRule[] {
  const expanded: ExpandedRule[] = []
  const open = new Set<string>()

  function expand(rule: TargetingRule, inherited: Inherited): void {
    const conditions = [...(rule.conditions ?? []), ...inherited.conditions].filter(isCondition)
    const variant = rule.variant ?? inherited.variant
    const test = { attribute: rule.attribute, operator: rule.operator, values: rule.values }
    if (rule.segment_key) {
      expandSegment(rule.segment_key, { conditions, variant })
      return
    }
    if (!isCondition(test)) return
    if (expanded.length === EXPANDED_RULES_MAX) throw tooManyRules()
    expanded.push({
      ...test,
      ...(conditions.length > 0 && { conditions }),
      ...(variant !== undefined && variant !== null && { variant }),
    })
  }

  function expandSegment(key: string, inherited: Inherited): void {
    if (open.has(key)) return
    open.add(key)
    for (const rule of segments.get(key) ?? []) expand(rule, inherited)
    open.delete(key)
  }

  for (const rule of rules) expand(rule, { conditions: [], variant: undefined })
  return expanded
}

interface Inherited {
  readonly conditions: readonly Condition[]
  readonly variant: TargetingRule['variant']
}

const tooManyRules = () =>
  invalid([
    {
      path: '/rules',
      message: `come to more than ${EXPANDED_RULES_MAX} rules once their segments are expanded`,
    },
  ])

function isCondition(test: { attribute?: unknown; operator?: unknown; values?: unknown }): test is Condition {
  return (
    test.attribute !== undefined &&
    test.operator !== undefined &&
    test.operator !== '' &&
    test.values !== undefined
  )
}

/** The segments that rules depend on, directly or through other segments. */
export function segmentsBehind(rules: readonly TargetingRule[], segments: SegmentRules): Set<string> {
  const found = new Set<string>()
  const pending = [...rules]
  for (let rule = pending.pop(); rule; rule = pending.pop()) {
    const key = rule.segment_key
    if (!key || found.has(key)) continue
    found.add(key)
    pending.push(...(segments.get(key) ?? []))
  }
  return found
}
