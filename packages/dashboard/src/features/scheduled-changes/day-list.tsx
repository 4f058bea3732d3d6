import { Stack, Text, Title } from '@mantine/core'
import { ChangeButton } from './change-button.tsx'
import { formatDay } from './month-days.ts'
import type { DaysProps } from './month-grid.tsx'

/** The days of a month on which something changes, below each other: the calendar of narrow windows. */
export function DayList({ month, byDay, onOpen }: DaysProps) {
  const days = [...byDay].filter(([day]) => day.startsWith(month))
  if (days.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No change is scheduled in this month.
      </Text>
    )
  }
  return (
    <Stack gap="lg">
      {days.map(([day, changes]) => (
        <Stack key={day} gap={6} component="section">
          <Title order={3} size="h6">
            {formatDay(day)}
          </Title>
          {changes.map((change) => (
            <ChangeButton key={change.id} change={change} onOpen={onOpen} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
