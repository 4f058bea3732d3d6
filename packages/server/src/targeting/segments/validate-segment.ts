import { isPlain, PLAIN_TEXT_REFUSAL, PROBLEMS_MAX, type Segment } from '@burgee/contract'
import type { ProblemDetail } from '../../kernel/refusal.ts'
import { invalid } from '../../kernel/refusal.ts'
import { validateRules } from '../rules/index.ts'

/**
 * Refuses with `invalid` when a rule is incomplete, or decides more than who is in the segment, and a name
 * that is not plain text, unless it is the stored one. Variants may have any type, because flags of any type
 * can use the segment.
 */
export function validateSegment(
  segment: Pick<Segment, 'name' | 'rules'>,
  stored: Pick<Segment, 'name'> | null,
): void {
  const problems = [
    ...refuseName(segment.name, stored?.name),
    ...validateRules(segment.rules),
    ...refuseShares(segment.rules),
  ]
  if (problems.length > 0) throw invalid(problems)
}

const refuseName = (name: string, stored: string | undefined): ProblemDetail[] =>
  name === stored || isPlain('plain-name', name) ? [] : [{ path: '/name', message: PLAIN_TEXT_REFUSAL }]

const DECIDED_BY_FLAGS = [
  'off',
  'rollout_percentage',
  'rollout_thousandths',
  'variants',
  'bucket_by',
  'rollout_salt',
  'variant_salt',
  'hash',
] as const

function refuseShares(rules: Segment['rules']): ProblemDetail[] {
  const problems: ProblemDetail[] = []
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= PROBLEMS_MAX) break
    for (const field of DECIDED_BY_FLAGS) {
      if (rule[field] === undefined) continue
      const message = 'belongs to rules of flags; set it on the rule that names the segment'
      problems.push({ path: `/rules/${index}/${field}`, message })
    }
  }
  return problems.slice(0, PROBLEMS_MAX)
}
