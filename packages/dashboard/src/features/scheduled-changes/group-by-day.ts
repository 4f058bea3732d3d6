import type { ScheduledChange } from '@burgee/contract'
import { dayOf } from './month-days.ts'

/** Changes by the day in the reader's time zone on which they are due, in the order of their time. */
export function groupByDay(
  changes: readonly ScheduledChange[],
): ReadonlyMap<string, readonly ScheduledChange[]> {
  const byTime = [...changes].sort(
    (one, other) => Date.parse(one.scheduled_at) - Date.parse(other.scheduled_at),
  )
  const byDay = new Map<string, ScheduledChange[]>()
  for (const change of byTime) {
    const day = dayOf(new Date(change.scheduled_at))
    byDay.set(day, [...(byDay.get(day) ?? []), change])
  }
  return byDay
}
