import type { Flag, ScheduledChange } from '@burgee/contract'
import { applyPatch } from '../../shared/diff/apply-patch.ts'

/**
 * The flag as it will be just before a change runs: as it is now, with the waiting changes that come first
 * applied.
 */
export function flagAt(flag: Flag, change: ScheduledChange, changes: readonly ScheduledChange[]): Flag {
  const due = Date.parse(change.scheduled_at)
  return changes
    .filter(
      ({ executed_at, flag_key, scheduled_at }) =>
        executed_at === null && flag_key === flag.key && Date.parse(scheduled_at) < due,
    )
    .sort((one, other) => Date.parse(one.scheduled_at) - Date.parse(other.scheduled_at))
    .reduce((before, { patch }) => applyPatch(before, patch), flag)
}
