import type { TargetingRule, Warning } from '@burgee/contract'
import type { SegmentRules } from './expand-rules.ts'
import { findTestWarnings } from './test-warnings.ts'

/**
 * The number of rules that are compared pair by pair. Beyond it the warnings are not useful, and the pairs
 * would cost seconds.
 */
const COMPARED_RULES_MAX = 100

/**
 * Returns warnings about a list of rules, of a flag or of a segment. When `segments` is null, none of them is
 * about segments.
 */
export function findRuleWarnings(rules: readonly TargetingRule[], segments: SegmentRules | null): Warning[] {
  const compared = rules.slice(0, COMPARED_RULES_MAX).map(testsOf)
  return rules.flatMap((rule, index) => [
    ...unknownSegment(rule, index, segments),
    ...findTestWarnings(rule, index),
    ...notEqualsMany(rule, index),
    ...unreachable(compared, index),
  ])
}

function unknownSegment(rule: TargetingRule, index: number, segments: SegmentRules | null): Warning[] {
  if (!segments || !rule.segment_key || segments.has(rule.segment_key)) return []
  return [
    {
      code: 'unknown_segment',
      path: `/rules/${index}/segment_key`,
      message: `There is no segment "${rule.segment_key}" in this environment; the rule matches no user until it exists.`,
    },
  ]
}

/** Warns of `not_equals` with several values: `values` is an OR, so every user differs from one of them. */
function notEqualsMany(rule: TargetingRule, index: number): Warning[] {
  return testsOf(rule).flatMap((test, at) => {
    if (!matchesEveryUser(test)) return []
    const place = at === 0 ? '' : `/conditions/${at - 1}`
    return [
      {
        code: 'not_equals_many' as const,
        path: `/rules/${index}${place}/values`,
        message:
          'not_equals with several values holds for every user. Use one condition for each value instead.',
      },
    ]
  })
}

/** A test of an attribute, or a reference to a segment. */
interface Test {
  readonly attribute: string | undefined
  readonly operator: string | undefined
  readonly values: ReadonlySet<string> | undefined
  readonly segment_key: string | null
}

/** Returns a rule's own test, then its conditions. */
const testsOf = (rule: TargetingRule): Test[] =>
  [rule, ...(rule.conditions ?? [])].map((test: TargetingRule) => ({
    attribute: test.attribute,
    operator: test.operator,
    values: test.values && new Set(test.values),
    segment_key: test.segment_key ?? null,
  }))

const matchesEveryUser = ({ operator, segment_key, values }: Test): boolean =>
  !segment_key && operator === 'not_equals' && values !== undefined && values.size > 1

function unreachable(rules: readonly (readonly Test[])[], index: number): Warning[] {
  const rule = rules[index]
  if (!rule) return []
  const path = `/rules/${index}`
  if (rule.some((test) => !test.segment_key && test.values?.size === 0)) {
    return [{ code: 'rule_unreachable', path, message: 'A test without values matches no user.' }]
  }
  const first = rules.slice(0, index).findIndex((earlier) => covers(earlier, rule))
  if (first === -1) return []
  const message = `Every user that this rule matches is already matched by /rules/${first}.`
  return [{ code: 'rule_unreachable', path, message }]
}

/** Returns whether `earlier` certainly matches every user that `later` matches. */
function covers(earlier: readonly Test[], later: readonly Test[]): boolean {
  return earlier.every((wide) => matchesEveryUser(wide) || later.some((narrow) => isImplied(wide, narrow)))
}

function isImplied(wide: Test, narrow: Test): boolean {
  if (wide.segment_key || narrow.segment_key) return wide.segment_key === narrow.segment_key
  if (wide.attribute !== narrow.attribute || wide.operator !== narrow.operator) return false
  return [...(narrow.values ?? [])].every((value) => wide.values?.has(value))
}
