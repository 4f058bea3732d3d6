import type { TargetingRule } from '@burgee/contract'
import type { Condition, TargetingRule as ExpandedRule, FlagType, JsonValue } from '@burgee/evaluation'
import { invalid } from '../../kernel/refusal.ts'
import { fitsType } from './fits-type.ts'

/**
 * The bounds of one flag: rules and references that are visited, levels of nested segments, characters of
 * JSON on the wire. Segments may contain segments, and each reference adds its conditions, so a few kilobytes
 * could expand to gigabytes.
 */
const VISITED_MAX = 10_000
const SEGMENT_LEVELS_MAX = 50
const EXPANDED_JSON_MAX = 2 * 1024 * 1024

/** The rules of an environment's segments, by segment key. */
export type SegmentRules = ReadonlyMap<string, readonly TargetingRule[]>

/**
 * Replaces each reference to a segment by the segment's rules (docs/reference/evaluation.md#rule-matching).
 * The reference adds its conditions to each of them, and its variant to those that have none. Segments are
 * expanded recursively; an unknown segment and a cycle expand to nothing (docs/reference/flags.md). A variant
 * that does not fit `flagType` is omitted, so that the rule serves the flag's `default_value`; with it, an
 * evaluator would refuse the whole flag. When `flagType` is null, every variant fits.
 *
 * Refuses with `invalid` when the rules exceed the bounds of a flag.
 */
export function expandRules(
  rules: readonly TargetingRule[],
  segments: SegmentRules,
  flagType: FlagType | null,
): ExpandedRule[] {
  const expanded: ExpandedRule[] = []
  const open = new Set<string>()
  // Formatting rules to count them costs more than everything else, and only segments can expand to much.
  const isCounted = rules.some((rule) => rule.segment_key)
  const fits = (variant: JsonValue) => flagType === null || fitsType(flagType, variant)
  let visited = 0
  let jsonLength = 0

  function expand(rule: TargetingRule, inherited: Inherited): void {
    visited += 1
    if (visited > VISITED_MAX) throw tooMuch()
    const conditions = [...(rule.conditions ?? []), ...inherited.conditions]
    const variant = rule.variant ?? inherited.variant
    const ownLength = isCounted ? JSON.stringify(rule).length : 0
    const test = { attribute: rule.attribute, operator: rule.operator, values: rule.values }
    if (rule.segment_key) {
      const json = inherited.jsonLength + ownLength
      expandSegment(rule.segment_key, { conditions, variant, jsonLength: json })
      return
    }
    if (!isCondition(test)) return
    jsonLength += ownLength + inherited.jsonLength
    if (jsonLength > EXPANDED_JSON_MAX && open.size > 0) throw tooMuch()
    expanded.push({
      ...test,
      ...(conditions.length > 0 && { conditions: conditions.filter(isCondition) }),
      ...(variant !== undefined && variant !== null && fits(variant) && { variant }),
    })
  }

  function expandSegment(key: string, inherited: Inherited): void {
    if (open.has(key)) return
    if (open.size === SEGMENT_LEVELS_MAX) throw tooMuch()
    open.add(key)
    for (const rule of segments.get(key) ?? []) expand(rule, inherited)
    open.delete(key)
  }

  for (const rule of rules) expand(rule, { conditions: [], variant: undefined, jsonLength: 0 })
  return expanded
}

interface Inherited {
  readonly conditions: readonly Condition[]
  readonly variant: TargetingRule['variant']
  /** The characters that the references on the path add to each rule, at most. */
  readonly jsonLength: number
}

const tooMuch = () =>
  invalid([
    {
      path: '/rules',
      message:
        'become too large when their segments are expanded: ' +
        `at most ${VISITED_MAX} rules, ${SEGMENT_LEVELS_MAX} levels of segments and ${EXPANDED_JSON_MAX} characters`,
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

/** Returns the segments that rules depend on, directly or through other segments. */
export function segmentsBehind(rules: readonly TargetingRule[], segments: SegmentRules): Set<string> {
  const found = new Set<string>()
  const pending = [...rules]
  for (let rule = pending.pop(); rule; rule = pending.pop()) {
    const key = rule.segment_key
    if (!key || found.has(key)) continue
    found.add(key)
    for (const next of segments.get(key) ?? []) pending.push(next)
  }
  return found
}
