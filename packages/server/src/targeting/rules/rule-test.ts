import type { TargetingRule } from '@burgee/contract'
import { isOperator, operatorKind } from '@burgee/evaluation'

/** A test of an attribute, or a reference to a segment. */
export interface Test {
  readonly attribute: string | undefined
  readonly operator: TargetingRule['operator']
  /** Undefined where the operator ignores them. */
  readonly values: ReadonlySet<string> | undefined
  readonly segment_key: string | null
}

/** Returns a rule's own test, then its conditions. */
export const testsOf = (rule: TargetingRule): Test[] =>
  [rule, ...(rule.conditions ?? [])].map((test: TargetingRule) => ({
    attribute: test.attribute,
    operator: test.operator,
    values: isOfPresence(test) ? undefined : test.values && new Set(test.values),
    segment_key: test.segment_key ?? null,
  }))

const isOfPresence = ({ operator }: TargetingRule): boolean =>
  isOperator(operator) && operatorKind(operator) === 'presence'

export const matchesEveryUser = ({ operator, segment_key, values }: Test): boolean =>
  !segment_key && operator === 'not_equals' && values !== undefined && values.size > 1
