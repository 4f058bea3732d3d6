import type { TargetingRule, Warning } from '@burgee/contract'
import { isOperator, operatorKind } from '@burgee/evaluation'
import { findBoundWarnings } from './bound-warnings.ts'
import type { Segments } from './segment-members.ts'
import { createReach, type SegmentReach } from './segment-reach.ts'
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
export function findRuleWarnings(rules: readonly TargetingRule[], segments: Segments | null): Warning[] {
  const compared = rules.slice(0, COMPARED_RULES_MAX).map(toCompared)
  const known = segments && { segments, reach: createReach(segments) }
  const found = rules.flatMap((rule, index) => [
    ...unknownSegment(rule, index, known),
    ...findTestWarnings(rule, index),
    ...notEqualsMany(rule, index),
    ...unreachable(compared, index),
  ])
  return [...found, ...findBoundWarnings(rules, segments)]
}

interface KnownSegments {
  readonly segments: Segments
  readonly reach: SegmentReach
}

/** Warns of each reference to a segment that does not exist, in the rule itself and in its conditions. */
function unknownSegment(rule: TargetingRule, index: number, known: KnownSegments | null): Warning[] {
  if (!known) return []
  const { reach, segments } = known
  return [rule, ...(rule.conditions ?? [])].flatMap((test, at): Warning[] => {
    const key = 'segment_key' in test ? test.segment_key : undefined
    if (!key) return []
    const isUnknown = !segments.has(key)
    if (!isUnknown && !reach.ofSegment(key).has(key)) return []
    const path = `/rules/${index}${placeOf(at)}/segment_key`
    const message = isUnknown
      ? `There is no segment "${key}" in this environment; the rule matches no user until it exists.`
      : `The segment "${key}" refers to itself, directly or through others; that reference matches no user.`
    return [{ code: 'unknown_segment', path, message }]
  })
}

/** Returns where a test of a rule is: its own test is the first, its conditions follow. */
const placeOf = (at: number): string => (at === 0 ? '' : `/conditions/${at - 1}`)

/** Warns of `not_equals` with several values: `values` is an OR, so every user differs from one of them. */
function notEqualsMany(rule: TargetingRule, index: number): Warning[] {
  return testsOf(rule).flatMap((test, at) => {
    if (!matchesEveryUser(test)) return []
    return [
      {
        code: 'not_equals_many' as const,
        path: `/rules/${index}${placeOf(at)}/values`,
        message:
          'not_equals with several values holds for every user. Use one condition for each value instead.',
      },
    ]
  })
}

/** A test of an attribute, or a reference to a segment. */
interface Test {
  readonly attribute: string | undefined
  readonly operator: TargetingRule['operator']
  /** Undefined where the operator ignores them. */
  readonly values: ReadonlySet<string> | undefined
  readonly segment_key: string | null
}

/** Returns a rule's own test, then its conditions. */
const testsOf = (rule: TargetingRule): Test[] =>
  [rule, ...(rule.conditions ?? [])].map((test: TargetingRule) => ({
    attribute: test.attribute,
    operator: test.operator,
    values: isOfPresence(test) ? undefined : test.values && new Set(test.values),
    segment_key: test.segment_key ?? null,
  }))

const isOfPresence = ({ operator }: TargetingRule): boolean =>
  isOperator(operator) && operatorKind(operator) === 'presence'

const matchesEveryUser = ({ operator, segment_key, values }: Test): boolean =>
  !segment_key && operator === 'not_equals' && values !== undefined && values.size > 1

interface Compared {
  readonly tests: readonly Test[]
  /** True when the rule decides for all users that match, and not only for a share of them. */
  readonly isForAll: boolean
}

const toCompared = (rule: TargetingRule): Compared => ({
  tests: testsOf(rule),
  isForAll: rule.rollout_percentage === undefined,
})

function unreachable(rules: readonly Compared[], index: number): Warning[] {
  const rule = rules[index]
  if (!rule) return []
  const path = `/rules/${index}`
  if (rule.tests.some((test) => !test.segment_key && test.values?.size === 0)) {
    return [{ code: 'rule_unreachable', path, message: 'A test without values matches no user.' }]
  }
  const first = rules
    .slice(0, index)
    .findIndex((earlier) => earlier.isForAll && covers(earlier.tests, rule.tests))
  if (first === -1) return []
  const message = `Every user that this rule matches is already matched by /rules/${first}.`
  return [{ code: 'rule_unreachable', path, message }]
}

/** Returns whether `earlier` certainly matches every user that `later` matches. */
function covers(earlier: readonly Test[], later: readonly Test[]): boolean {
  if (earlier.some(({ segment_key, values }) => !segment_key && values?.size === 0)) return false
  return earlier.every((wide) => matchesEveryUser(wide) || later.some((narrow) => isImplied(wide, narrow)))
}

function isImplied(wide: Test, narrow: Test): boolean {
  if (wide.segment_key || narrow.segment_key) {
    const isAlike = (wide.operator === 'not_in_segment') === (narrow.operator === 'not_in_segment')
    return isAlike && wide.segment_key === narrow.segment_key
  }
  if (wide.attribute !== narrow.attribute || wide.operator !== narrow.operator) return false
  // A complement holds when none of its values fits, so that more values make it narrower.
  const [fewer, more] = isComplement(wide.operator) ? [wide, narrow] : [narrow, wide]
  return [...(fewer.values ?? [])].every((value) => more.values?.has(value))
}

const isComplement = (operator: Test['operator']): boolean =>
  isOperator(operator) && operator !== 'not_equals' && operator.startsWith('not_')
