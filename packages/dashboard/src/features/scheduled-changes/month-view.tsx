import type { ScheduledChange } from '@burgee/contract'
import { ActionIcon, Button, Group, Stack, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo } from 'react'
import { DayList } from './day-list.tsx'
import { groupByDay } from './group-by-day.ts'
import { addMonths, formatMonth, monthOf } from './month-days.ts'
import { MonthGrid } from './month-grid.tsx'

interface MonthViewProps {
  readonly changes: readonly ScheduledChange[]
  /** `2026-08`. */
  readonly month: string
  /** Days below each other instead of a grid. */
  readonly isNarrow: boolean
  readonly onMonth: (month: string) => void
  readonly onOpen: (id: string) => void
}

/** One month, with the way to the others. */
export function MonthView({ changes, month, isNarrow, onMonth, onOpen }: MonthViewProps) {
  const byDay = useMemo(() => groupByDay(changes), [changes])
  const Days = isNarrow ? DayList : MonthGrid
  return (
    <Stack gap="md">
      <Group gap="xs">
        <ActionIcon
          variant="default"
          size={34}
          aria-label="Previous month"
          onClick={() => onMonth(addMonths(month, -1))}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label="Next month"
          onClick={() => onMonth(addMonths(month, 1))}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
        <Title order={2} size="h4" aria-live="polite">
          {formatMonth(month)}
        </Title>
        {month !== monthOf(new Date()) && (
          <Button variant="subtle" size="compact-sm" onClick={() => onMonth('')}>
            Today
          </Button>
        )}
      </Group>
      <Days month={month} byDay={byDay} onOpen={onOpen} />
    </Stack>
  )
}
