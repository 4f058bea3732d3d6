import { type Fields, listOf } from './assert-valid.ts'
import { compileAnyCondition } from './compile-any-condition.ts'
import type { Costs } from './cost.ts'
import { isOperator, type Operator, operatorKind } from './operators.ts'
import { createRun, derive, MAX_STEPS, type Run } from './run.ts'

/** The list of the foreseen user: 1,000 different texts of 64 characters. */
const FORESEEN_ELEMENTS = 1_000
const FORESEEN_LENGTH = 64
const FORESEEN = Array.from({ length: FORESEEN_ELEMENTS }, (_, at) =>
  String(at).padStart(FORESEEN_LENGTH, '-'),
)

/**
 * Foresees the steps of each rule for a user with 1,000 texts of 64 characters in every attribute
 * (docs/reference/operators.md#cost). Tests that are not valid, or refer to a segment, count nothing.
 */
export function foreseeSteps(rules: readonly object[]): number[] {
  const costs: Costs = new Map()
  // One for all, so that the list is measured once.
  const run = createRun()
  return rules.map((rule) =>
    [rule as Fields, ...listOf((rule as Fields).conditions)].reduce(
      (sum, test) => sum + addTest(costs, test, run),
      0,
    ),
  )
}

/**
 * Returns whether the rules of a flag take too many steps for such a user: its segments are expanded, its
 * prerequisites do not count.
 */
export const canReachBound = ({ rules }: { readonly rules: readonly object[] }): boolean =>
  foreseeSteps(rules).reduce((sum, steps) => sum + steps, 0) > MAX_STEPS

/** Returns the steps that a test adds to those before it. */
function addTest(costs: Costs, test: Fields, run: Run): number {
  // Equality and numbers have no steps.
  if (!isOperator(test.operator) || !isCostlyOperator(test.operator)) return 0
  const before = stepsOf(costs, test.attribute, run)
  try {
    compileAnyCondition(test, costs)
  } catch {
    // A write that is not valid is refused elsewhere.
    return 0
  }
  return stepsOf(costs, test.attribute, run) - before
}

/** Returns whether tests with the operator have steps. */
export const isCostlyOperator = (operator: Operator): boolean =>
  !['number', 'presence'].includes(operatorKind(operator)) && !EQUALITY.includes(operator)

const EQUALITY: readonly Operator[] = ['equals', 'not_equals', 'not_in']

function stepsOf(costs: Costs, attribute: unknown, run: Run): number {
  let sum = 0
  for (const [measure, steps] of costs.get(attribute as string) ?? [])
    sum += steps * derive(run, FORESEEN, measure)
  return sum
}
