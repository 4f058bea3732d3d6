import { DOMAIN_EVENTS, type DomainEventType } from '@burgee/contract'
import { Checkbox, Input, Radio, Stack } from '@mantine/core'
import { EVENT_LABELS } from './event-labels.ts'

/** The events that a chat receives: all, kinds of later versions included, or those that are ticked. */
export type EventChoice = 'all' | readonly DomainEventType[]

interface EventsFieldProps {
  readonly choice: EventChoice
  readonly onChange: (choice: EventChoice) => void
  readonly error: string | undefined
}

const GROUPS = [...new Set(DOMAIN_EVENTS.map((event) => EVENT_LABELS[event].group))]

export function EventsField({ choice, onChange, error }: EventsFieldProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={choice === 'all' ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? 'all' : DOMAIN_EVENTS)}
      >
        <Stack gap={8} mt={6}>
          <Radio value="all" label="All events" />
          <Radio value="some" label="Only some" />
        </Stack>
      </Radio.Group>
      {choice !== 'all' && <Ticks ticked={choice} onChange={onChange} />}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  )
}

interface TicksProps {
  readonly ticked: readonly DomainEventType[]
  readonly onChange: (choice: EventChoice) => void
}

const Ticks = ({ ticked, onChange }: TicksProps) =>
  GROUPS.map((group) => (
    <Checkbox.Group
      key={group}
      label={group}
      value={[...ticked]}
      onChange={(values) => onChange(DOMAIN_EVENTS.filter((event) => values.includes(event)))}
      pl="xl"
    >
      <Stack gap={8} mt={6}>
        {DOMAIN_EVENTS.filter((event) => EVENT_LABELS[event].group === group).map((event) => (
          <Checkbox key={event} value={event} label={EVENT_LABELS[event].label} />
        ))}
      </Stack>
    </Checkbox.Group>
  ))
