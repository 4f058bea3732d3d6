import { countOf } from '../../shared/ui/count-of.ts'
import type { Outcome } from './flag-rows.ts'
import type { PlanCounts } from './import-plan.ts'

/** The effects on a flag, in the words of the page. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  created: 'New',
  changed: 'Changed',
  waiting: 'Waits for approval',
  unchanged: 'Unchanged',
  left_out: 'Left out',
}

/** Returns what a plan does, in words: `7 new flags, 1 changed, 2 segments`. */
export function describePlan({ changed, created, segments, unchanged, waiting }: PlanCounts): string {
  const parts = [
    ...(created > 0 ? [countOf(created, 'new flag')] : []),
    ...(changed > 0 ? [`${countOf(changed, 'flag')} changed`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, 'change')} for approval`] : []),
    ...(segments > 0 ? [countOf(segments, 'segment')] : []),
    ...(unchanged > 0 ? [`${countOf(unchanged, 'flag')} as before`] : []),
  ]
  return parts.length === 0 ? 'nothing to import' : parts.join(', ')
}
