import type { Flag, Segment, Warning } from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { findVariantWarnings } from '../flag-model/index.ts'
import { findRuleWarnings, type Segments } from '../rules/index.ts'

/**
 * Returns warnings about probable mistakes in a segment, given the other segments and the flags that depend
 * on it.
 */
export async function findSegmentWarnings(
  { rules }: Pick<Segment, 'rules'>,
  segments: Segments,
  dependents: readonly Flag[],
): Promise<Warning[]> {
  const found = await findRuleWarnings(rules, segments)
  await shareTurn()
  return [...found, ...findVariantWarnings(rules, dependents)]
}
