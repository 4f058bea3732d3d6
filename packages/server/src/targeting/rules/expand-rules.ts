import { namesSegment, type RuleOrigin, type TargetingRule } from '@burgee/contract'
import type { TargetingRule as ExpandedRule, FlagType } from '@burgee/evaluation'
import { isGiven } from '../../kernel/is-given.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ALWAYS } from './complement.ts'
import {
  createExpansion,
  type ExpansionBudget,
  toCondition,
  tooMuch,
  VISITED_MAX,
} from './expand-segments.ts'
import { fitsType } from './fits-type.ts'
import { createPatternBudget, hasPatterns, TOO_MANY_STATES } from './pattern-budget.ts'
import { createOrigins, type Path } from './rule-origins.ts'
import type { Segments } from './segment-members.ts'
import type { Alternative } from './simplify-alternatives.ts'

/**
 * Replaces references to segments by what they stand for (docs/reference/evaluation.md#rule-matching): a rule
 * that names segments becomes one rule for each way in which it can match. The reference at the head of a
 * rule gives its variant to the rules of the segment that have none. A variant that does not fit `flagType`
 * is omitted, so that the rule serves the flag's `default_value`; with it, an evaluator would refuse the
 * whole flag. When `flagType` is null, every variant fits.
 *
 * Refuses with `invalid` when the rules exceed the bounds of a flag, or those of a `budget` that several
 * flags share.
 */
export function expandRules(
  rules: readonly TargetingRule[],
  segments: Segments,
  flagType: FlagType | null,
  budget?: ExpansionBudget,
): ExpandedRule[] {
  const expand = createExpansion(segments, budget && { budget })
  return expandEach(rules, expand, flagType).map(({ rule }) => rule)
}

/** Expands rules with the origin of each (docs/reference/streaming.md#origins-of-rules). */
export function expandWithOrigins(
  rules: readonly TargetingRule[],
  segments: Segments,
  flagType: FlagType | null,
): { rules: ExpandedRule[]; origins: readonly RuleOrigin[] | undefined } {
  const expanded = expandEach(rules, createExpansion(segments, { isTraced: true }), flagType)
  const origins = createOrigins()
  for (const { path, rule_index } of expanded) origins.add(rule_index, path)
  return { rules: expanded.map(({ rule }) => rule), origins: origins.list(rules.length) }
}

interface Expanded {
  readonly rule: ExpandedRule
  readonly rule_index: number
  readonly path: Path | undefined
}

function expandEach(
  rules: readonly TargetingRule[],
  expand: (rule: TargetingRule) => readonly Alternative[],
  flagType: FlagType | null,
): Expanded[] {
  if (rules.length > VISITED_MAX) throw tooMuch()
  const expanded = rules.flatMap((rule, rule_index): Expanded[] =>
    alternativesOf(rule, expand).map((alternative) => ({
      rule: toExpanded(rule, alternative, flagType),
      rule_index,
      path: alternative.path,
    })),
  )
  // Patterns of the flag alone were measured when it was written.
  if (rules.some(namesSegment)) requireBoundedPatterns(expanded.map(({ rule }) => rule))
  return expanded
}

function alternativesOf(
  rule: TargetingRule,
  expand: (rule: TargetingRule) => readonly Alternative[],
): readonly Omit<Alternative, 'jsonLength'>[] {
  if (namesSegment(rule)) return expand(rule)
  const test = toCondition(rule)
  if (!test) return []
  const conditions = [test, ...(rule.conditions ?? []).flatMap((condition) => toCondition(condition) ?? [])]
  return [{ conditions, variant: rule.variant }]
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
  // Written out: lists of fields between take several times as long, and a flag may have 10,000 rules.
  const extensions: Record<string, unknown> = {}
  for (const field of EXTENSIONS) if (rule[field] !== undefined) extensions[field] = rule[field]
  return extensions
}
