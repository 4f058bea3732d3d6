import type { ExperimentResults } from '@burgee/contract'
import { verdictOf } from '../descriptions/describe-comparison.ts'

/**
 * The reported value that has won. It is the one variant that is better than the control, or the control if
 * every other variant is worse. Null while that is not decided. Null if several are better, because those are
 * not compared with each other. Null if the split of the users is broken.
 */
export function findWinner(
  results: Pick<ExperimentResults, 'variants' | 'sample_ratio_mismatch'>,
): string | null {
  const [control, ...others] = results.variants
  if (!control || others.length === 0 || results.sample_ratio_mismatch?.mismatch) return null
  const verdicts = others.map((variant) => verdictOf(variant, control))
  if (verdicts.every((verdict) => verdict === 'worse')) return control.variant
  const better = others.filter((_, at) => verdicts[at] === 'better')
  return better.length === 1 ? (better[0]?.variant ?? null) : null
}

/** The reported values that are neither better nor worse than the control yet. */
export function findUndecided({
  variants: [control, ...others],
}: Pick<ExperimentResults, 'variants'>): string[] {
  if (!control) return []
  return others
    .filter((variant) => !['better', 'worse'].includes(verdictOf(variant, control)))
    .map(({ variant }) => variant)
}
