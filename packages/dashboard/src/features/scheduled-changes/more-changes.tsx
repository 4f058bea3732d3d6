import type { ScheduledChange } from '@burgee/contract'
import { Button, Popover, ScrollArea, Stack } from '@mantine/core'
import { ChangeButton } from './change-button.tsx'
import { formatDay } from './month-days.ts'

interface MoreChangesProps {
  readonly day: string
  readonly changes: readonly ScheduledChange[]
  readonly onOpen: (id: string) => void
}

const WIDTH_PX = 260
const HEIGHT_PX = 320

/** The changes of a day that its cell has no room for. */
export function MoreChanges({ day, changes, onOpen }: MoreChangesProps) {
  return (
    <Popover width={WIDTH_PX} trapFocus withArrow>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={`${changes.length} more changes on ${formatDay(day)}`}
        >
          {changes.length} more
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={`Further changes on ${formatDay(day)}`}>
        <ScrollArea.Autosize mah={HEIGHT_PX}>
          <Stack gap={4}>
            {changes.map((change) => (
              <ChangeButton key={change.id} change={change} onOpen={onOpen} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
