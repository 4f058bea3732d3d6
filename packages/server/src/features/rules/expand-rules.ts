import { namesSegment, type TargetingRule } from '@burgee/contract'
import type { TargetingRule as ExpandedRule, FlagType } from '@burgee/evaluation'
import { isGiven } from '../../kernel/is-given.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ALWAYS } from './complement.ts'
import { createExpansion, toCondition, tooMuch, VISITED_MAX } from './expand-segments.ts'
import { fitsType } from './fits-type.ts'
import { createPatternBudget, hasPatterns, TOO_MANY_STATES } from './pattern-budget.ts'
import type { Segments } from './segment-members.ts'
import type { Alternative } from './simplify-alternatives.ts'

/**
 * Replaces references to segments by what they stand for (docs/reference/evaluation.md#rule-matching): a rule
 * that names segments becomes one rule for each way in which it can match. The reference at the head of a
 * rule gives its variant to the rules of the segment that have none. A variant that does not fit `flagType`
 * is omitted, so that the rule serves the flag's `default_value`; with it, an evaluator would refuse the
 * whole flag. When `flagType` is null, every variant fits.
 *
 * Refuses with `invalid` when the rules exceed the bounds of a flag.
 */
export function expandRules(
  rules: readonly TargetingRule[],
  segments: Segments,
  flagType: FlagType | null,
): ExpandedRule[] {
  if (rules.length > VISITED_MAX) throw tooMuch()
  const expand = createExpansion(segments)
  const expanded = rules.flatMap((rule) => {
    if (namesSegment(rule)) return expand(rule).map((alternative) => toExpanded(rule, alternative, flagType))
    const test = toCondition(rule)
    if (!test) return []
    const conditions = [test, ...(rule.conditions ?? []).flatMap((condition) => toCondition(condition) ?? [])]
    return [toExpanded(rule, { conditions, variant: rule.variant }, flagType)]
  })
  requireBoundedPatterns(expanded)
  return expanded
}

/** Refuses patterns that segments bring, and that would be too large together. */
function requireBoundedPatterns(rules: readonly ExpandedRule[]): void {
  const measure = createPatternBudget()
  for (const rule of rules) {
    for (const test of [rule, ...(rule.conditions ?? [])]) {
      if (!hasPatterns(test)) continue
      for (const value of test.values)
        if (measure(value) === TOO_MANY_STATES) throw invalid([{ path: '/rules', message: TOO_MANY_STATES }])
    }
  }
}

function toExpanded(
  rule: TargetingRule,
  { conditions, variant }: Omit<Alternative, 'jsonLength'>,
  flagType: FlagType | null,
): ExpandedRule {
  const [head = ALWAYS, ...further] = conditions
  const hasOwnResult = rule.off === true || (rule.variants !== undefined && rule.variants.length > 0)
  const serves = !hasOwnResult && isGiven(variant) && (flagType === null || fitsType(flagType, variant))
  return {
    ...head,
    ...(further.length > 0 && { conditions: further }),
    ...(serves && { variant }),
    ...extensionsOf(rule),
  }
}

const EXTENSIONS = [
  'off',
  'rollout_percentage',
  'rollout_thousandths',
  'variants',
  'description',
  'bucket_by',
  'rollout_salt',
  'variant_salt',
  'hash',
] as const

/** The fields of a rule that each rule which replaces it has as well. */
function extensionsOf(rule: TargetingRule): Pick<TargetingRule, (typeof EXTENSIONS)[number]> {
  const set = EXTENSIONS.filter((field) => rule[field] !== undefined)
  return Object.fromEntries(set.map((field) => [field, rule[field]]))
}
