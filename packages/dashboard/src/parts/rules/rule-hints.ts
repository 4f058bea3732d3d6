import type { TargetingRule } from '@burgee/contract'
import { deepEqual, isNumericOperator, isOperator, parseJsonNumber } from '@burgee/evaluation'

/** A test of an attribute: a rule's own or one of its conditions. */
export interface RuleTest {
  readonly attribute?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

/** True if a part of the rule is still to be filled in, so that it matches no users. */
export function isIncomplete({ segment_key, conditions = [], ...own }: TargetingRule): boolean {
  const tests: RuleTest[] = segment_key === undefined ? [own, ...conditions] : [...conditions]
  return (
    segment_key === '' ||
    tests.some(({ attribute = '', values = [] }) => attribute.trim() === '' || !values.length)
  )
}

/** Describes what in a rule is probably a mistake; the server's own warnings come before saving. */
export function hintsOf(
  rules: readonly TargetingRule[],
  index: number,
  knownSegments: readonly string[],
): string[] {
  const rule = rules[index]
  if (!rule) return []
  const { segment_key, conditions = [] } = rule
  const tests = segment_key ? conditions : [rule, ...conditions]
  const unknown =
    segment_key && !knownSegments.includes(segment_key)
      ? [`There is no segment “${segment_key}” here: the rule matches no users until there is one.`]
      : []
  return [...unknown, ...new Set(tests.flatMap(hintsOfTest)), ...hintOfTwin(rules, index)]
}

function hintsOfTest({ attribute = '', operator = '', values = [] }: RuleTest): string[] {
  if (attribute.trim() === '') return ['Incomplete: name the attribute to test.']
  if (values.length === 0) return ['Incomplete: without a value it matches no users.']
  if (operator === 'not_equals' && new Set(values).size > 1) {
    return ['“Is not” with several values holds for everyone. Use one condition for each value instead.']
  }
  const odd =
    isOperator(operator) && isNumericOperator(operator)
      ? values.find((value) => Number.isNaN(parseJsonNumber(value)))
      : undefined
  if (odd !== undefined) return [`“${odd}” is no number: it never matches.`]
  return attribute.trim() === attribute ? [] : ['The name of the attribute begins or ends with a blank.']
}

function hintOfTwin(rules: readonly TargetingRule[], index: number): string[] {
  const rule = testsOf(rules[index])
  const twin = rules.slice(0, index).findIndex((earlier) => deepEqual(testsOf(earlier), rule))
  return twin < 0 ? [] : [`Rule ${twin + 1} matches the same users first: this one is never reached.`]
}

/** The fields that decide if a rule matches. */
const testsOf = (rule: TargetingRule | undefined) => ({
  test: rule?.segment_key
    ? { segment_key: rule.segment_key }
    : { attribute: rule?.attribute ?? '', operator: rule?.operator ?? '', values: rule?.values ?? [] },
  conditions: (rule?.conditions ?? []).map(({ attribute, operator, values }) => ({
    attribute,
    operator,
    values,
  })),
})
