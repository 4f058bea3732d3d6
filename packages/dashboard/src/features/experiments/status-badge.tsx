import type { Experiment } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { IconCheck, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import classes from './status-badge.module.css'

const LOOK = {
  running: { label: 'Running', icon: <IconPlayerPlay size={13} /> },
  paused: { label: 'Paused', icon: <IconPlayerPause size={13} /> },
  completed: { label: 'Completed', icon: <IconCheck size={13} /> },
} as const

export function StatusBadge({ status }: { readonly status: Experiment['status'] }) {
  const { label, icon } = LOOK[status]
  return (
    <Group gap={6} wrap="nowrap" className={classes.badge} data-status={status}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <Text span size="sm">
        {label}
      </Text>
    </Group>
  )
}
