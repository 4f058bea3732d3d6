import type { TargetingRule } from '@burgee/contract'
import { OPERATORS } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'

const NEEDED = {
  attribute: 'a text',
  operator: `one of ${OPERATORS.join(', ')}`,
  values: 'a list of texts',
} as const

/** A rule needs a segment, or a test of its own that is complete (specification, "TargetingRule"). */
export function validateRules(rules: readonly TargetingRule[]): ProblemDetail[] {
  return rules.flatMap((rule, index) => {
    if (rule.segment_key) return []
    const missing = (['attribute', 'operator', 'values'] as const).filter((field) =>
      field === 'operator' ? !rule.operator : rule[field] === undefined,
    )
    return missing.map((field) => ({
      path: `/rules/${index}/${field}`,
      message: `must be ${NEEDED[field]}, unless the rule names a segment_key`,
    }))
  })
}
