import { PROBLEMS_MAX, type TargetingRule } from '@burgee/contract'
import { OPERATORS } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'

const NEEDED = {
  attribute: 'a text',
  operator: `one of ${OPERATORS.join(', ')}`,
  values: 'a list of texts',
} as const

/**
 * A rule needs a segment, or a test of its own that is complete (docs/reference/flags.md#rules). Gives the problems, of very many the
 * first.
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
