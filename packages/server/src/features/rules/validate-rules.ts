import { PROBLEMS_MAX, type TargetingRule } from '@burgee/contract'
import { checkPattern, isOperator, OPERATORS, operatorKind } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'

const NEEDED = {
  attribute: 'a text',
  operator: `one of ${OPERATORS.join(', ')}`,
  values: 'a list of texts',
} as const

/**
 * Validates rules: each needs a segment, or a complete test of its own (docs/reference/flags.md#rules).
 * Returns the problems; of a great many, the first.
 */
export function validateRules(rules: readonly TargetingRule[]): ProblemDetail[] {
  const problems: ProblemDetail[] = []
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= PROBLEMS_MAX) break
    if (!rule.segment_key) {
      problems.push(...missingFields(rule, index), ...validatePatterns(rule, `/rules/${index}`))
    }
    for (const [at, condition] of (rule.conditions ?? []).entries())
      problems.push(...validatePatterns(condition, `/rules/${index}/conditions/${at}`))
  }
  return problems
}

const FIELDS = ['attribute', 'operator', 'values'] as const

function missingFields(rule: TargetingRule, index: number): ProblemDetail[] {
  return FIELDS.filter((field) => (field === 'operator' ? !rule.operator : rule[field] === undefined)).map(
    (field) => ({
      path: `/rules/${index}/${field}`,
      message: `must be ${NEEDED[field]}, unless the rule names a segment_key`,
    }),
  )
}

/** A pattern that the evaluator cannot match in linear time is refused, with the place of the problem. */
function validatePatterns(test: Pick<TargetingRule, 'operator' | 'values'>, path: string): ProblemDetail[] {
  const { operator, values = [] } = test
  if (!isOperator(operator) || operatorKind(operator) !== 'pattern') return []
  return values.flatMap((value, index) => {
    const problem = checkPattern(value)
    if (!problem) return []
    const message = `is not a pattern that Burgee can match: it ${problem.message} (at character ${problem.index + 1})`
    return [{ path: `${path}/values/${index}`, message }]
  })
}
