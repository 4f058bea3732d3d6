import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

export type Schedules = 'keep' | 'cancel'

interface ScheduleChoiceProps {
  readonly label: string
  readonly value: Schedules
  readonly onChange: (value: Schedules) => void
  /** The scheduled changes that the choice is about, where they are known. */
  readonly children?: ReactNode
}

/** Asks what becomes of the scheduled changes of someone who is disabled. */
export function ScheduleChoice({ label, value, onChange, children }: ScheduleChoiceProps) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => onChange(chosen === 'cancel' ? 'cancel' : 'keep')}
    >
      <Stack gap="sm" mt={8}>
        {children}
        <Radio value="keep" label="Keep them: they run when they are due" />
        <Radio value="cancel" label="Cancel them" />
      </Stack>
    </Radio.Group>
  )
}
