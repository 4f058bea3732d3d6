import { isOperator, operatorKind } from '@burgee/evaluation'
import { canonicalJson } from '../json/canonical-json.ts'
import type { TargetingRule } from '../schemas/rule.ts'
import { alignLists } from './align-lists.ts'
import { describeOperator } from './describe-operator.ts'
import { formatShare } from './format-share.ts'
import { cutLine } from './format-text.ts'
import type { FormatValue } from './name-value.ts'

const RULE_MAX = 120
const NAME_MAX = 40
const VALUES_SHOWN = 5

/** Describes the changes to the rules. Positions count from 1; a removed rule has its old position. */
export function describeRules(
  before: readonly TargetingRule[],
  after: readonly TargetingRule[],
  format: FormatValue,
): string[] {
  const describe = (rule: TargetingRule | undefined) => describeRule(rule, format)
  const alignment = alignLists(before.map(canonicalJson), after.map(canonicalJson))
  if (alignment === null) return [`rules rewritten (${before.length} -> ${after.length})`]
  const { added, changed, moved, removed } = alignment
  const atNewPlace = [
    ...changed.map(({ from, to }) => ({
      to,
      phrase: changedPhrase(describe(before[from]), describe(after[to]), to),
    })),
    ...moved.map(({ from, to }) => ({ to, phrase: `rule ${from + 1} moved to ${to + 1}` })),
    ...added.map((to) => ({ to, phrase: `rule ${to + 1} added: ${describe(after[to])}` })),
  ]
  return [
    ...removed.map((from) => `rule ${from + 1} removed: ${describe(before[from])}`),
    ...atNewPlace.sort((one, other) => one.to - other.to).map(({ phrase }) => phrase),
  ]
}

const changedPhrase = (old: string, now: string, to: number): string =>
  old === now ? `rule ${to + 1} changed: ${now}` : `rule ${to + 1} changed: ${old} -> ${now}`

/**
 * Describes a rule: `country is one of NO, SE and plan is pro gives "green"`, `segment beta-testers`, or
 * `plan is pro for 5% by company_id gives off`.
 */
function describeRule(rule: TargetingRule | undefined, format: FormatValue): string {
  if (rule === undefined) return ''
  const tests = [rule, ...(rule.conditions ?? [])].map(describeTest)
  return cutLine(tests.join(' and '), RULE_MAX) + describeRuleShare(rule) + describeResult(rule, format)
}

function describeRuleShare(rule: TargetingRule): string {
  const share = formatShare(rule)
  const by = rule.bucket_by === undefined ? '' : ` by ${cutLine(rule.bucket_by, NAME_MAX)}`
  return share === null ? by : ` for ${share}${by}`
}

function describeResult({ off, variant, variants = [] }: TargetingRule, format: FormatValue): string {
  if (off) return ' gives off'
  if (variants.length > 0) {
    const shown = variants.slice(0, VALUES_SHOWN).map(({ value, weight }) => `${format(value)} (${weight})`)
    const rest = variants.length - shown.length
    return ` divides among ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
  }
  return variant === undefined || variant === null ? '' : ` gives ${format(variant)}`
}

type Test = TargetingRule | NonNullable<TargetingRule['conditions']>[number]

function describeTest(test: Test): string {
  if ('segment_key' in test && test.segment_key !== undefined && test.segment_key !== null) {
    return `${test.operator === 'not_in_segment' ? 'not ' : ''}segment ${test.segment_key}`
  }
  const { attribute = '', operator = '', values = [] } = test as TargetingRule
  if (isOperator(operator) && operatorKind(operator) === 'presence') {
    return `${cutLine(attribute, NAME_MAX) || '…'} ${describeOperator(operator, 0)}`
  }
  const shown = values.slice(0, VALUES_SHOWN).map((value) => cutLine(value, NAME_MAX))
  const rest = values.length - shown.length
  const list = rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`
  if (attribute === '' && list === '') return 'incomplete'
  const isIncomplete = attribute === '' || list === ''
  const verb = isOperator(operator) ? describeOperator(operator, values.length) : operator
  const phrase = `${cutLine(attribute, NAME_MAX) || '…'} ${verb} ${list || '…'}`
  return isIncomplete ? `${phrase} (incomplete)` : phrase
}
