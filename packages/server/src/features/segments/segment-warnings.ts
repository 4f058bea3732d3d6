import type { Flag, Segment, Warning } from '@burgee/contract'
import { findVariantWarnings } from '../flags/index.ts'
import { findRuleWarnings, type SegmentRules } from '../rules/index.ts'

/** What is probably a mistake in a segment, compared with the segments of its environment and the flags that depend on it. */
export const findSegmentWarnings = (
  { rules }: Pick<Segment, 'rules'>,
  segments: SegmentRules,
  dependents: readonly Flag[],
): Warning[] => [...findRuleWarnings(rules, segments), ...findVariantWarnings(rules, dependents)]
