import type { Flag, Segment, Warning } from '@burgee/contract'
import { findVariantWarnings } from '../flag-model/index.ts'
import { findRuleWarnings, type Segments } from '../rules/index.ts'

/**
 * Returns warnings about probable mistakes in a segment, given the other segments and the flags that depend
 * on it.
 */
export const findSegmentWarnings = (
  { rules }: Pick<Segment, 'rules'>,
  segments: Segments,
  dependents: readonly Flag[],
): Warning[] => [...findRuleWarnings(rules, segments), ...findVariantWarnings(rules, dependents)]
