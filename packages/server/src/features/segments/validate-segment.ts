import type { Segment } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'
import { validateRules } from '../rules/index.ts'

/**
 * Refuses with `invalid` when a rule is incomplete. Variants may have any type, because flags of any type can
 * use the segment.
 */
export function validateSegment(segment: Pick<Segment, 'rules'>): void {
  const problems = validateRules(segment.rules)
  if (problems.length > 0) throw invalid(problems)
}
