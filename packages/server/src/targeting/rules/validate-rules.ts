import {
  AMBIGUOUS_SHARE,
  isAmbiguous,
  PROBLEMS_MAX,
  SEGMENT_OPERATORS,
  type TargetingRule,
} from '@burgee/contract'
import { OPERATORS } from '@burgee/evaluation'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import { createPatternBudget, hasPatterns, TOO_MANY_STATES } from './pattern-budget.ts'

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
  const measure = createPatternBudget()
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= PROBLEMS_MAX) break
    validateRule(problems, { rule, path: `/rules/${index}`, measure })
  }
  return problems
}

type Measure = ReturnType<typeof createPatternBudget>

interface Checked {
  readonly rule: TargetingRule
  readonly path: string
  readonly measure: Measure
}

/** Adds the problems of a rule. A rule without any makes no list: a segment may have 100,000 of them. */
function validateRule(problems: ProblemDetail[], { measure, path, rule }: Checked): void {
  const before = problems.length
  if (!rule.segment_key) {
    for (const field of FIELDS) {
      const isMissing = field === 'operator' ? !rule.operator : rule[field] === undefined
      const message = `must be ${NEEDED[field]}, unless the rule names a segment_key`
      if (isMissing) problems.push({ path: `${path}/${field}`, message })
    }
    if (hasPatterns(rule)) problems.push(...validatePatterns(rule, path, measure))
  }
  for (const [index, condition] of (rule.conditions ?? NONE).entries()) {
    if (problems.length - before >= PROBLEMS_MAX) break
    problems.push(...validateCondition(condition, `${path}/conditions/${index}`, measure))
  }
  validateResult(problems, rule, path)
}

const FIELDS = ['attribute', 'operator', 'values'] as const
const NONE: readonly never[] = []

function validateCondition(condition: Condition, path: string, measure: Measure): ProblemDetail[] {
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
  return [...missing, ...validatePatterns(condition, path, measure)]
}

/** A pattern that the evaluator cannot match in linear time is refused, with the place of the problem. */
function validatePatterns(
  test: Pick<TargetingRule, 'operator' | 'values'>,
  path: string,
  measure: Measure,
): ProblemDetail[] {
  if (!hasPatterns(test)) return []
  const problems: ProblemDetail[] = []
  for (const [index, value] of (test.values ?? []).entries()) {
    const message = measure(value)
    if (message !== null) problems.push({ path: `${path}/values/${index}`, message })
    if (message === TOO_MANY_STATES || problems.length >= PROBLEMS_MAX) break
  }
  return problems
}

/** Validates that one field alone decides the result of a match. */
function validateResult(problems: ProblemDetail[], rule: TargetingRule, path: string): void {
  const { off, variant, variants } = rule
  const refuse = (field: string, message: string) => problems.push({ path: `${path}/${field}`, message })
  if (isAmbiguous(rule)) refuse('rollout_thousandths', AMBIGUOUS_SHARE)
  if (variants && variant !== undefined)
    refuse('variants', 'and variant exclude each other; send one of them')
  if (off && variants) refuse('off', 'and variants exclude each other; send one of them')
  if (off && variant !== undefined) refuse('off', 'and variant exclude each other; send one of them')
}
