import {
  AMBIGUOUS_SHARE,
  isAmbiguous,
  PROBLEMS_MAX,
  SEGMENT_OPERATORS,
  type TargetingRule,
} from '@burgee/contract'
import { checkPattern, isOperator, OPERATORS, operatorKind } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'

const NEEDED = {
  attribute: 'a text',
  operator: `one of ${OPERATORS.join(', ')}`,
  values: 'a list of texts',
} as const

type Condition = NonNullable<TargetingRule['conditions']>[number]

/**
 * Validates rules: each needs a segment, or a complete test of its own (docs/reference/flags.md#rules).
 * Returns the problems; of a great many, the first.
 */
export function validateRules(rules: readonly TargetingRule[]): ProblemDetail[] {
  const problems: ProblemDetail[] = []
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= PROBLEMS_MAX) break
    problems.push(...validateRule(rule, `/rules/${index}`))
  }
  return problems
}

function validateRule(rule: TargetingRule, path: string): ProblemDetail[] {
  const own = rule.segment_key ? [] : [...missingFields(rule, path), ...validatePatterns(rule, path)]
  const conditions = (rule.conditions ?? []).flatMap((condition, index) =>
    validateCondition(condition, `${path}/conditions/${index}`),
  )
  return [...own, ...conditions, ...validateResult(rule, path)]
}

const FIELDS = ['attribute', 'operator', 'values'] as const

function missingFields(rule: TargetingRule, path: string): ProblemDetail[] {
  return FIELDS.filter((field) => (field === 'operator' ? !rule.operator : rule[field] === undefined)).map(
    (field) => ({
      path: `${path}/${field}`,
      message: `must be ${NEEDED[field]}, unless the rule names a segment_key`,
    }),
  )
}

function validateCondition(condition: Condition, path: string): ProblemDetail[] {
  const isOfSegment = SEGMENT_OPERATORS.some((operator) => operator === condition.operator)
  if ('segment_key' in condition) {
    if (isOfSegment) return []
    const message = 'must be in_segment or not_in_segment, because the condition names a segment_key'
    return [{ path: `${path}/operator`, message }]
  }
  if (isOfSegment)
    return [{ path: `${path}/segment_key`, message: `is needed with the operator ${condition.operator}` }]
  const missing = (['attribute', 'values'] as const)
    .filter((field) => condition[field] === undefined)
    .map((field) => ({ path: `${path}/${field}`, message: `must be ${NEEDED[field]}` }))
  return [...missing, ...validatePatterns(condition, path)]
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

/** Validates that one field alone decides the result of a match. */
function validateResult(rule: TargetingRule, path: string): ProblemDetail[] {
  const { off, variant, variants } = rule
  const problems: ProblemDetail[] = []
  const refuse = (field: string, message: string) => problems.push({ path: `${path}/${field}`, message })
  if (isAmbiguous(rule)) refuse('rollout_thousandths', AMBIGUOUS_SHARE)
  if (variants && variant !== undefined)
    refuse('variants', 'and variant exclude each other; send one of them')
  if (off && variants) refuse('off', 'and variants exclude each other; send one of them')
  if (off && variant !== undefined) refuse('off', 'and variant exclude each other; send one of them')
  return problems
}
