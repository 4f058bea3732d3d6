import type { ScheduledChange } from '@burgee/contract'
import { Text } from '@mantine/core'
import classes from './calendar.module.css'
import { ChangeButton } from './change-button.tsx'
import { dayOf, formatDay, formatMonth, weeksOf } from './month-days.ts'
import { MoreChanges } from './more-changes.tsx'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const SHOWN_PER_DAY = 3

export interface DaysProps {
  /** `2026-08`. */
  readonly month: string
  readonly byDay: ReadonlyMap<string, readonly ScheduledChange[]>
  readonly onOpen: (id: string) => void
}

/** A month as a table of weeks. */
export function MonthGrid({ month, byDay, onOpen }: DaysProps) {
  const today = dayOf(new Date())
  return (
    <table className={classes.month} aria-label={formatMonth(month)}>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" abbr={name}>
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((days) => (
          <tr key={days[0]}>
            {days.map((day) => (
              <Day
                key={day}
                day={day}
                isToday={day === today}
                isOutside={!day.startsWith(month)}
                changes={byDay.get(day) ?? []}
                onOpen={onOpen}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayProps {
  readonly day: string
  readonly isToday: boolean
  readonly isOutside: boolean
  readonly changes: readonly ScheduledChange[]
  readonly onOpen: (id: string) => void
}

function Day({ day, isToday, isOutside, changes, onOpen }: DayProps) {
  // The last line is better spent on a change than on "1 more".
  const shown = changes.length === SHOWN_PER_DAY + 1 ? changes : changes.slice(0, SHOWN_PER_DAY)
  const rest = changes.slice(shown.length)
  return (
    <td data-today={isToday || undefined} data-outside={isOutside || undefined}>
      <Text
        size="xs"
        component="time"
        dateTime={day}
        className={classes.number}
        aria-label={isToday ? `${formatDay(day)}, today` : formatDay(day)}
        {...(isToday && { 'aria-current': 'date' as const })}
      >
        {Number(day.slice(-2))}
      </Text>
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {shown.map((change) => (
            <li key={change.id}>
              <ChangeButton change={change} onOpen={onOpen} />
            </li>
          ))}
          {rest.length > 0 && (
            <li>
              <MoreChanges day={day} changes={rest} onOpen={onOpen} />
            </li>
          )}
        </ul>
      )}
    </td>
  )
}
