import type { ExperimentResults } from '@burgee/contract'
import { verdictOf } from '../descriptions/describe-comparison.ts'

/**
 * The reported value that has won: the one variant that is better than the control while none is open, or the control
 * where every other variant is worse. Null while that is not decided, or where the split of the users is broken.
 */
export function findWinner(
  results: Pick<ExperimentResults, 'variants' | 'sample_ratio_mismatch'>,
): string | null {
  const [control, ...others] = results.variants
  if (!control || others.length === 0 || results.sample_ratio_mismatch?.mismatch) return null
  const verdicts = others.map((variant) => verdictOf(variant, control))
  if (verdicts.every((verdict) => verdict === 'worse')) return control.variant
  const isDecided = verdicts.every((verdict) => verdict === 'better' || verdict === 'worse')
  const better = others.filter((_, at) => verdicts[at] === 'better')
  return isDecided && better.length === 1 ? (better[0]?.variant ?? null) : null
}
