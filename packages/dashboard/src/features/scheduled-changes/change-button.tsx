import type { ScheduledChange } from '@burgee/contract'
import { UnstyledButton } from '@mantine/core'
import { describePatch } from '../../parts/schedule/describe-patch.ts'
import { scheduleState } from '../../parts/schedule/schedule-state.ts'
import classes from './calendar.module.css'

interface ChangeButtonProps {
  readonly change: ScheduledChange
  readonly onOpen: (id: string) => void
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const STATES = { waiting: '', done: ', done', failed: ', failed' } as const

/** A change in the calendar: its time, its flag and what it does. */
export function ChangeButton({ change, onOpen }: ChangeButtonProps) {
  const state = scheduleState(change)
  const time = clock.format(Date.parse(change.scheduled_at))
  const what = describePatch(change.patch).join(', ')
  return (
    <UnstyledButton
      className={classes.change}
      data-state={state}
      onClick={() => onOpen(change.id)}
      title={`${change.flag_key}: ${what}`}
      aria-label={`${time} ${change.flag_key}: ${what}${STATES[state]}`}
    >
      <span className={classes.time}>{time}</span>
      <span className={classes.flag}>{change.flag_key}</span>
    </UnstyledButton>
  )
}
