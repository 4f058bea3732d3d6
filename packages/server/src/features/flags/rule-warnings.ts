import type { TargetingRule, Warning } from '@burgee/contract'
import type { SegmentRules } from './expand-rules.ts'

/** What is probably a mistake in a list of rules, of a flag or of a segment. */
export function findRuleWarnings(rules: readonly TargetingRule[], segments: SegmentRules): Warning[] {
  return rules.flatMap((rule, index) => [
    ...unknownSegment(rule, index, segments),
    ...notEqualsMany(rule, index),
    ...unreachable(rules, index),
  ])
}

function unknownSegment(rule: TargetingRule, index: number, segments: SegmentRules): Warning[] {
  if (!rule.segment_key || segments.has(rule.segment_key)) return []
  return [
    {
      code: 'unknown_segment',
      path: `/rules/${index}/segment_key`,
      message: `There is no segment "${rule.segment_key}" in this environment; the rule matches nobody until there is.`,
    },
  ]
}

/** `values` is an OR for `not_equals` too: with two of them every user differs from one or the other. */
function notEqualsMany(rule: TargetingRule, index: number): Warning[] {
  const own = rule.segment_key ? [] : [{ test: rule, path: `/rules/${index}/values` }]
  const further = (rule.conditions ?? []).map((test, at) => ({
    test,
    path: `/rules/${index}/conditions/${at}/values`,
  }))
  return [...own, ...further]
    .filter(({ test }) => matchesEverybody(test))
    .map(({ path }) => ({
      code: 'not_equals_many',
      path,
      message:
        'not_equals with several values holds for everybody. Use one condition for each value instead.',
    }))
}

/** A test of an attribute, or the reference to a segment. */
type Test = Pick<TargetingRule, 'attribute' | 'operator' | 'values' | 'segment_key'>

const matchesEverybody = ({ operator, segment_key, values }: Test): boolean =>
  !segment_key && operator === 'not_equals' && new Set(values).size > 1

function unreachable(rules: readonly TargetingRule[], index: number): Warning[] {
  const rule = rules[index]
  if (!rule) return []
  const path = `/rules/${index}`
  if (testsOf(rule).some((test) => !test.segment_key && test.values?.length === 0)) {
    return [{ code: 'rule_unreachable', path, message: 'A test without values matches nobody.' }]
  }
  const first = rules.slice(0, index).findIndex((earlier) => covers(earlier, rule))
  if (first === -1) return []
  const message = `Everybody whom this rule matches is matched by rule ${first + 1} before it.`
  return [{ code: 'rule_unreachable', path, message }]
}

const testsOf = (rule: TargetingRule): Test[] => [rule, ...(rule.conditions ?? [])]

/** Does `earlier` match everybody whom `later` matches? Only what is certain counts. */
function covers(earlier: TargetingRule, later: TargetingRule): boolean {
  return testsOf(earlier).every(
    (wide) => matchesEverybody(wide) || testsOf(later).some((narrow) => isImplied(wide, narrow)),
  )
}

function isImplied(wide: Test, narrow: Test): boolean {
  if (wide.segment_key || narrow.segment_key) return wide.segment_key === narrow.segment_key
  if (wide.attribute !== narrow.attribute || wide.operator !== narrow.operator) return false
  const allowed = new Set(wide.values)
  return (narrow.values ?? []).every((value) => allowed.has(value))
}
