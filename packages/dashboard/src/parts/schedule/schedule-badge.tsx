import type { ScheduledChange } from '@burgee/contract'
import { Badge } from '@mantine/core'
import { type ScheduleState, scheduleState } from './schedule-state.ts'

const LOOKS: Readonly<Record<ScheduleState, { readonly color: string; readonly label: string }>> = {
  waiting: { color: 'sea', label: 'Waiting' },
  done: { color: 'teal', label: 'Done' },
  failed: { color: 'red', label: 'Failed' },
}

/** The state of a scheduled change, in a word. */
export function ScheduleBadge({ change }: { readonly change: ScheduledChange }) {
  const { color, label } = LOOKS[scheduleState(change)]
  return (
    <Badge color={color} variant="light" size="sm" radius="sm" tt="none">
      {label}
    </Badge>
  )
}
