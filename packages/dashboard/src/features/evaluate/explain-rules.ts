import type { Flag } from '@burgee/contract'
import { type Condition, type Evaluation, isOperator } from '@burgee/evaluation'
import { shareOf } from '../../parts/weights/share-input.tsx'
import type { ConditionTrace, RuleTrace } from './explanation.ts'
import { holds } from './probe.ts'
import type { RuleOrigin } from './rule-origins.ts'
import type { Subject } from './subject.ts'

interface RulesQuestion {
  readonly flag: Flag
  readonly subject: Subject
  readonly origins: readonly RuleOrigin[] | null
  readonly evaluation: Evaluation
}

/**
 * The outcome of each rule. Rules behind the one that matched were never evaluated. If an earlier step
 * decided, no rule was.
 */
export function explainRules({ flag, subject, origins, evaluation }: RulesQuestion): RuleTrace[] {
  const { reason, rule_index = -1 } = evaluation
  const isReached = reason !== 'PREREQUISITE_FAILED' && reason !== 'DISABLED'
  const stateOf = (index: number): RuleTrace['state'] => {
    if (!isReached || (rule_index >= 0 && index > rule_index)) return 'not_asked'
    return index === rule_index ? 'matched' : 'no_match'
  }
  return flag.rules.map((rule, index) => {
    const share = shareOf(rule)
    const conditions = testsOf(rule).map((condition) => traceCondition(condition, subject))
    const state = stateOf(index)
    const isOutside = state === 'no_match' && share !== null && conditions.every(({ isMet }) => isMet)
    return { state: isOutside ? 'outside' : state, share, conditions, origin: findOrigin(origins, index) }
  })
}

/** The origin of an expanded rule. */
export const findOrigin = (origins: RulesQuestion['origins'], index: number): RuleOrigin =>
  origins?.[index] ?? { rule_index: index, segment_keys: [] }

/**
 * A rule's own test and those that must hold with it; an expanded rule always has one of its own, and no
 * reference to a segment.
 */
export const testsOf = (rule: Flag['rules'][number]): Condition[] =>
  [rule, ...(rule.conditions ?? [])].flatMap((test) => {
    if ('segment_key' in test) return []
    const { attribute = '', operator, values = [] } = test
    return isOperator(operator) ? [{ attribute, operator, values }] : []
  })

function traceCondition(condition: Condition, subject: Subject): ConditionTrace {
  const { attributes, user_key } = subject
  const given = Object.hasOwn(attributes, condition.attribute) ? attributes[condition.attribute] : undefined
  return {
    condition,
    isMet: holds(condition, subject),
    actual: condition.attribute === '$user_key' ? (user_key ?? undefined) : given,
  }
}
