import { Badge } from '@mantine/core'
import { IconCheck, IconPlugConnectedX, IconX } from '@tabler/icons-react'
import { type Attempt, deliveryOutcome, type Outcome } from './delivery-outcome.ts'

const LOOKS: Record<Outcome['kind'], { readonly color: string; readonly icon: React.ReactNode }> = {
  delivered: { color: 'teal', icon: <IconCheck size={12} /> },
  refused: { color: 'red', icon: <IconX size={12} /> },
  unreachable: { color: 'yellow', icon: <IconPlugConnectedX size={12} /> },
}

/** The status of an attempt, in color, sign and words. */
export function OutcomeBadge({ attempt }: { readonly attempt: Attempt }) {
  const { kind, label } = deliveryOutcome(attempt)
  const { color, icon } = LOOKS[kind]
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" leftSection={icon} miw={64}>
      {label}
    </Badge>
  )
}
