import type { TargetingRule } from '@burgee/contract'
import {
  deepEqual,
  isOperator,
  operatorKind,
  parseJsonNumber,
  parseTime,
  parseVersion,
} from '@burgee/evaluation'

/** A test of an attribute: a rule's own or one of its conditions. */
export interface RuleTest {
  readonly attribute?: string
  readonly operator?: string
  readonly values?: readonly string[]
  /** A reference to a segment has this in place of the others. */
  readonly segment_key?: string
}

/** True if a part of the rule is still to be filled in, so that it matches no users. */
export function isIncomplete({ segment_key, conditions = [], ...own }: TargetingRule): boolean {
  const tests: RuleTest[] = segment_key === undefined ? [own, ...conditions] : [...conditions]
  return segment_key === '' || tests.some(isIncompleteTest)
}

function isIncompleteTest({ attribute = '', operator, segment_key, values = [] }: RuleTest): boolean {
  if (segment_key !== undefined) return segment_key === ''
  return attribute.trim() === '' || (values.length === 0 && !needsNoValues(operator))
}

/** Tests whether an operator reads no values, such as “is set”. */
export const needsNoValues = (operator: string | undefined): boolean =>
  isOperator(operator) && operatorKind(operator) === 'presence'

/** Describes what in a rule is probably a mistake; the server's own warnings come before saving. */
export function hintsOf(
  rules: readonly TargetingRule[],
  index: number,
  knownSegments: readonly string[],
): string[] {
  const rule = rules[index]
  if (!rule) return []
  const { segment_key, conditions = [] } = rule
  const tests: readonly RuleTest[] = segment_key ? conditions : [rule, ...conditions]
  const unknown = [rule, ...conditions]
    .flatMap((test) => ('segment_key' in test && test.segment_key ? [test.segment_key] : []))
    .filter((key) => !knownSegments.includes(key))
    .map((key) => `There is no segment “${key}” here: the rule matches no users until there is one.`)
  return [...unknown, ...new Set(tests.flatMap(hintsOfTest)), ...hintOfTwin(rules, index)]
}

function hintsOfTest({ attribute = '', operator = '', segment_key, values = [] }: RuleTest): string[] {
  if (segment_key !== undefined) return segment_key === '' ? ['Incomplete: choose a segment.'] : []
  if (attribute.trim() === '') return ['Incomplete: name the attribute to test.']
  if (values.length === 0 && !needsNoValues(operator))
    return ['Incomplete: without a value it matches no users.']
  if (operator === 'not_equals' && new Set(values).size > 1) {
    return ['“Is not” with several values holds for everyone. Use one condition for each value instead.']
  }
  const odd = oddValue(operator, values)
  if (odd !== null) return [odd]
  return attribute.trim() === attribute ? [] : ['The name of the attribute begins or ends with a blank.']
}

/** Describes a value that an ordering operator cannot read. */
function oddValue(operator: string, values: readonly string[]): string | null {
  const kind = isOperator(operator) ? operatorKind(operator) : 'text'
  if (kind !== 'number' && kind !== 'version' && kind !== 'time') return null
  const odd = values.find((value) => !READS[kind](value))
  if (odd === undefined) return null
  const effect = operator.startsWith('not_') ? 'it excludes no users' : 'it never matches'
  return `“${odd}” is no ${kind}: ${effect}.`
}

const READS = {
  number: (value: string) => !Number.isNaN(parseJsonNumber(value)),
  version: (value: string) => typeof parseVersion(value) === 'string',
  time: (value: string) => !Number.isNaN(parseTime(value)),
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
  operator: rule?.operator === 'not_in_segment' ? rule.operator : null,
  conditions: rule?.conditions ?? [],
  share: rule?.rollout_percentage ?? null,
})
