import { PROBLEMS_MAX, type TargetingRule } from '@burgee/contract'
import { OPERATORS } from '@burgee/evaluation'
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
    if (!rule.segment_key) problems.push(...missingFields(rule, index))
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
