import type { Flag, ScheduledChange } from '@burgee/contract'
import { Button, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { ScheduleCard } from '../../parts/schedule/schedule-card.tsx'
import { FlagHeading } from './flag-heading.tsx'

/** Waiting changes, the next one first, and those that ran, the last one first. */
export function ScheduleList({ changes, flags }: Omit<ChangesProps, 'title'>) {
  const waiting = changes.filter(({ executed_at }) => executed_at === null)
  const ran = changes.filter(({ executed_at }) => executed_at !== null).reverse()
  return (
    <Stack gap="xl" maw={960}>
      <Changes title="Waiting" changes={waiting} flags={flags} />
      <Changes title="Ran" changes={ran} flags={flags} />
    </Stack>
  )
}

interface ChangesProps {
  readonly title: string
  readonly changes: readonly ScheduledChange[]
  /** The environment's flags as they are now. */
  readonly flags: readonly Flag[]
}

const STEP = 50

/** Some at a time, since those that ran are never taken off the list. */
function Changes({ title, changes, flags }: ChangesProps) {
  const [limit, setLimit] = useState(STEP)
  if (changes.length === 0) return null
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h5">
        {title}
      </Title>
      {changes.slice(0, limit).map((change) => (
        <ScheduleCard
          key={change.id}
          change={change}
          changes={changes}
          flag={flags.find(({ key }) => key === change.flag_key)}
          heading={<FlagHeading flag_key={change.flag_key} />}
        />
      ))}
      {changes.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + STEP)} mx="auto">
          Show more
        </Button>
      )}
    </Stack>
  )
}
