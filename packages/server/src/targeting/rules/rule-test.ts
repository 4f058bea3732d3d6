import type { TargetingRule } from '@burgee/contract'
import { isOperator, operatorKind } from '@burgee/evaluation'

/** A test of an attribute, or a reference to a segment. */
export interface Test {
  readonly attribute: string | undefined
  readonly operator: TargetingRule['operator']
  /** Undefined where the operator ignores them. */
  readonly values: readonly string[] | undefined
  /** Returns whether the value is one of them. They are indexed when that is first asked. */
  readonly has: (value: string) => boolean
  readonly segment_key: string | null
}

/** Returns a rule, whose own test is the first, then its conditions. */
export const listTests = (rule: TargetingRule): TargetingRule[] => [rule, ...(rule.conditions ?? [])]

/** Returns a rule's own test, then its conditions. */
export const testsOf = (rule: TargetingRule): Test[] => listTests(rule).map(toTest)

function toTest(test: TargetingRule): Test {
  const values = isOfPresence(test) ? undefined : test.values
  let index: ReadonlySet<string> | undefined
  return {
    attribute: test.attribute,
    operator: test.operator,
    values,
    has(value) {
      index ??= new Set(values)
      return index.has(value)
    },
    segment_key: test.segment_key ?? null,
  }
}

const isOfPresence = ({ operator }: TargetingRule): boolean =>
  isOperator(operator) && operatorKind(operator) === 'presence'

/** Returns whether a test has several values to differ from: every user differs from one of them. */
export const matchesEveryUser = ({
  operator,
  segment_key,
  values = [],
}: Partial<Pick<Test, 'operator' | 'segment_key' | 'values'>>): boolean =>
  !segment_key && operator === 'not_equals' && values.some((value) => value !== values[0])
