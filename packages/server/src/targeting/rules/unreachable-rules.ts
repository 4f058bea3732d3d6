import type { TargetingRule, Warning } from '@burgee/contract'
import { isOperator } from '@burgee/evaluation'
import { matchesEveryUser, type Test, testsOf } from './rule-test.ts'

/** The number of rules that are compared pair by pair. Beyond it the warnings are not useful. */
const COMPARED_RULES_MAX = 100
/** The tests and values that are compared for one list of rules, in all: some milliseconds. */
const STEPS_MAX = 500_000

interface Compared {
  readonly tests: readonly Test[]
  /** True when the rule decides for all users that match, and not only for a share of them. */
  readonly isForAll: boolean
}

const toCompared = (rule: TargetingRule): Compared => ({
  tests: testsOf(rule),
  isForAll: rule.rollout_percentage === undefined,
})

/**
 * Returns a function that warns of a rule which no user reaches, by its index. Pairs of rules are compared
 * until all comparisons together have taken 500,000 steps.
 */
export function createUnreachable(rules: readonly TargetingRule[]): (index: number) => Warning[] {
  const compared = rules.slice(0, COMPARED_RULES_MAX).map(toCompared)
  const isCovered = createCover()
  return (index) => {
    const rule = compared[index]
    if (!rule) return []
    const path = `/rules/${index}`
    if (hasEmptyTest(rule.tests))
      return [{ code: 'rule_unreachable', path, message: 'A test without values matches no user.' }]
    const first = compared
      .slice(0, index)
      .findIndex((earlier) => earlier.isForAll && isCovered(earlier.tests, rule.tests))
    if (first === -1) return []
    const message = `Every user that this rule matches is already matched by /rules/${first}.`
    return [{ code: 'rule_unreachable', path, message }]
  }
}

const hasEmptyTest = (tests: readonly Test[]): boolean =>
  tests.some(({ segment_key, values }) => !segment_key && values?.length === 0)

/**
 * Returns a function that finds whether the first tests certainly match every user that the second ones
 * match. It finds nothing any more when its steps are spent.
 */
function createCover(): (earlier: readonly Test[], later: readonly Test[]) => boolean {
  let left = STEPS_MAX

  function isImplied(wide: Test, narrow: Test): boolean {
    left -= 1
    if (left < 0) return false
    if (wide.segment_key || narrow.segment_key) {
      const isAlike = (wide.operator === 'not_in_segment') === (narrow.operator === 'not_in_segment')
      return isAlike && wide.segment_key === narrow.segment_key
    }
    if (wide.attribute !== narrow.attribute || wide.operator !== narrow.operator) return false
    // A complement holds when none of its values fits, so that more values make it narrower.
    const [fewer, more] = isComplement(wide.operator) ? [wide, narrow] : [narrow, wide]
    for (const value of fewer.values ?? []) {
      left -= 1
      if (!more.has(value)) return false
    }
    return true
  }

  return (earlier, later) => {
    if (left < 0 || hasEmptyTest(earlier)) return false
    return earlier.every((wide) => matchesEveryUser(wide) || later.some((narrow) => isImplied(wide, narrow)))
  }
}

const isComplement = (operator: Test['operator']): boolean =>
  isOperator(operator) && operator !== 'not_equals' && operator.startsWith('not_')
