import { isOperator } from '@burgee/evaluation'
import { canonicalJson } from '../json/canonical-json.ts'
import type { TargetingRule } from '../schemas/rule.ts'
import { alignLists } from './align-lists.ts'
import { describeOperator } from './describe-operator.ts'
import { cutLine, formatJson } from './format-text.ts'

const RULE_MAX = 120
const NAME_MAX = 40
const VALUES_SHOWN = 5

/** Describes the changes to the rules. Positions count from 1; a removed rule has its old position. */
export function describeRules(before: readonly TargetingRule[], after: readonly TargetingRule[]): string[] {
  const alignment = alignLists(before.map(canonicalJson), after.map(canonicalJson))
  if (alignment === null) return [`rules rewritten (${before.length} -> ${after.length})`]
  const { added, changed, moved, removed } = alignment
  const atNewPlace = [
    ...changed.map(({ from, to }) => ({ to, phrase: changedPhrase(before[from], after[to], to) })),
    ...moved.map(({ from, to }) => ({ to, phrase: `rule ${from + 1} moved to ${to + 1}` })),
    ...added.map((to) => ({ to, phrase: `rule ${to + 1} added: ${describeRule(after[to])}` })),
  ]
  return [
    ...removed.map((from) => `rule ${from + 1} removed: ${describeRule(before[from])}`),
    ...atNewPlace.sort((one, other) => one.to - other.to).map(({ phrase }) => phrase),
  ]
}

function changedPhrase(
  before: TargetingRule | undefined,
  after: TargetingRule | undefined,
  to: number,
): string {
  const [old, now] = [describeRule(before), describeRule(after)]
  return old === now ? `rule ${to + 1} changed: ${now}` : `rule ${to + 1} changed: ${old} -> ${now}`
}

/** Describes a rule: `country is one of NO, SE and plan is pro gives "green"`, or `segment beta-testers`. */
function describeRule(rule: TargetingRule | undefined): string {
  if (rule === undefined) return ''
  const tests = [hasSegment(rule) ? `segment ${rule.segment_key}` : describeTest(rule), ...conditions(rule)]
  const variant =
    rule.variant === undefined || rule.variant === null ? '' : ` gives ${formatJson(rule.variant)}`
  return cutLine(tests.join(' and '), RULE_MAX) + variant
}

const hasSegment = ({ segment_key }: TargetingRule): boolean =>
  segment_key !== undefined && segment_key !== null

const conditions = (rule: TargetingRule): string[] => (rule.conditions ?? []).map(describeTest)

function describeTest({ attribute = '', operator = '', values = [] }: Partial<TargetingRule>): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => cutLine(value, NAME_MAX))
  const rest = values.length - shown.length
  const list = rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`
  if (attribute === '' && list === '') return 'incomplete'
  const isIncomplete = attribute === '' || list === ''
  const verb = isOperator(operator) ? describeOperator(operator, values.length) : operator
  const test = `${cutLine(attribute, NAME_MAX) || '…'} ${verb} ${list || '…'}`
  return isIncomplete ? `${test} (incomplete)` : test
}
